/** Certificates for tests of all modules, made when they are needed. Not for several threads. */
package dev.wisent.security.certificate;
