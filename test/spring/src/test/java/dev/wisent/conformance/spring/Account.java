package dev.wisent.conformance.spring;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/** An account of the bank that the test is about. */
@Document("accounts")
record Account(@Id String id, long cents) {

  Account plus(long more) {
    return new Account(id, cents + more);
  }
}
