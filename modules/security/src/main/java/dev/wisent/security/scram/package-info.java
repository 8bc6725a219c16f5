/**
 * SCRAM (RFC 5802 and 7677) as MongoDB speaks it: {@link dev.wisent.security.scram.ScramCredential}
 * is what is stored of a password, {@link dev.wisent.security.scram.ScramServerConversation} and
 * {@link dev.wisent.security.scram.ScramClientConversation} are the two sides of a login. They know
 * payloads and no commands. Values are immutable; one thread uses a conversation.
 */
package dev.wisent.security.scram;
