package dev.wisent.springboot;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;

/** A program that knows MongoDB by its starters, and nothing of Wisent. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ShopApplication {
  @Bean
  MongoTransactionManager transactions(MongoDatabaseFactory databases) {
    return new MongoTransactionManager(databases);
  }
}
