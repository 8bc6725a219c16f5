package dev.wisent.conformance.spring;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/** A line of the journal. */
@Document("journal")
record Entry(@Id String id, String from, String to, long cents) {}
