/**
 * MongoDB's messages as bytes: headers, OP_MSG, the legacy OP_QUERY handshake, and compression.
 *
 * <p>A message is one byte array, header included. Parsing returns views into it ({@link
 * dev.wisent.wire.OpMsg}); {@link dev.wisent.wire.ReplyBuffer} writes a reply straight behind room
 * for its header; {@code dev.wisent.wire.client} calls other nodes. Bytes that break the protocol
 * raise {@link dev.wisent.wire.WireException}: the connection cannot go on. A well-framed message
 * with bad BSON raises a {@code CommandException}: the client gets an error and the connection
 * stays. Nothing here is shared between threads.
 */
package dev.wisent.wire;
