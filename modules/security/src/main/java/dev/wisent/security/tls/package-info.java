/**
 * Certificates and encrypted connections. {@link dev.wisent.security.tls.TlsOptions} is what a
 * server is started with, {@link dev.wisent.security.tls.TlsContexts} what its files had when they
 * were read, and {@link dev.wisent.security.tls.TlsState} what is in use now. PEM files are read by
 * the JDK alone. Options and contexts are immutable, the state is thread-safe.
 */
package dev.wisent.security.tls;
