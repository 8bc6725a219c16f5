package dev.wisent.conformance.spring;

import org.springframework.data.mongodb.repository.MongoRepository;

interface AccountRepository extends MongoRepository<Account, String> {}
