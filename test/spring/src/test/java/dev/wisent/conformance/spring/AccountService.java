package dev.wisent.conformance.spring;

import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Moves money, with all or nothing of each call. */
class AccountService {
  private final AccountRepository accounts;
  private final MongoTemplate template;

  AccountService(AccountRepository accounts, MongoTemplate template) {
    this.accounts = accounts;
    this.template = template;
  }

  /** Fails after it has written, if there is too little money. */
  @Transactional
  void transfer(String from, String to, long cents) {
    Account reduced = accounts.save(accounts.findById(from).orElseThrow().plus(-cents));
    accounts.save(accounts.findById(to).orElseThrow().plus(cents));
    template.insert(new Entry(null, from, to, cents));
    if (reduced.cents() < 0) {
      throw new IllegalStateException("not enough money in " + from);
    }
  }

  /** What a transaction sees of its own writes. */
  @Transactional
  long[] sumsAroundAnInsert() {
    long before = sum();
    accounts.insert(new Account("new", 1000));
    return new long[] {before, sum()};
  }

  private long sum() {
    return accounts.findAll().stream().mapToLong(Account::cents).sum();
  }
}
