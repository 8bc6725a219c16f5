/** What programs without a login, a key or a certificate get from the processes of a cluster. */
package dev.wisent.conformance.access;
