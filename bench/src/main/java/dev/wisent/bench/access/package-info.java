/**
 * How clients get into servers that are not open to all: {@link dev.wisent.bench.access.Encryption}
 * and {@link dev.wisent.bench.access.Login} for them, {@link
 * dev.wisent.bench.access.ServerCertificate} for the server. {@link
 * dev.wisent.bench.access.MongoAccess} is what the driver is told of both. Thread-safe.
 */
package dev.wisent.bench.access;
