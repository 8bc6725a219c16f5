package dev.wisent.database.session;

/** The transaction that an operation is a statement of. Packages above know what it holds. */
public interface StatementScope {}
