package dev.wisent.conformance.spring;

import com.mongodb.ConnectionString;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** The beans of the program; {@code bank.uri} is the connection string with the database. */
@Configuration(proxyBeanMethods = false)
@EnableMongoRepositories
@EnableTransactionManagement(proxyTargetClass = true)
class BankConfiguration {

  @Bean
  MongoDatabaseFactory databaseFactory(Environment environment) {
    return new SimpleMongoClientDatabaseFactory(environment.getRequiredProperty("bank.uri"));
  }

  @Bean
  MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
    return new MongoTransactionManager(factory);
  }

  @Bean
  MongoTemplate mongoTemplate(MongoDatabaseFactory factory) {
    return new MongoTemplate(factory);
  }

  @Bean
  AccountService accountService(AccountRepository accounts, MongoTemplate template) {
    return new AccountService(accounts, template);
  }

  @Bean
  ReactiveMongoDatabaseFactory reactiveDatabaseFactory(Environment environment) {
    return new SimpleReactiveMongoDatabaseFactory(
        new ConnectionString(environment.getRequiredProperty("bank.uri")));
  }

  @Bean
  ReactiveMongoTemplate reactiveMongoTemplate(ReactiveMongoDatabaseFactory factory) {
    return new ReactiveMongoTemplate(factory);
  }
}
