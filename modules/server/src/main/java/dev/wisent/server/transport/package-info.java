/**
 * The network side of a server: listens, accepts, cuts the byte stream of each connection into
 * messages and sends replies. It knows nothing about what a message says beyond its length.
 *
 * <p>Start at {@link dev.wisent.server.transport.Transport}; the other side of the seam is {@link
 * dev.wisent.server.transport.ConnectionHandler}. Sockets are used only here: {@code SocketStream}
 * is the one class that reads and writes them, and {@code TlsLayer} is between it and those that
 * use it.
 *
 * <p><b>Who runs what.</b> At any moment a connection has exactly one owner:
 *
 * <ul>
 *   <li>a <em>worker</em>, a platform thread that reads with blocking calls, handles the message
 *       itself and writes the reply. No hand-over, and the operating system preempts long scans.
 *   <li>{@code IdleConnections}, one selector thread that holds the connections on which nothing
 *       has arrived for a while, so that ten thousand of them need no threads.
 *   <li>a virtual thread, only while a message of kind {@link
 *       dev.wisent.server.transport.Execution#WAIT} is handled.
 * </ul>
 *
 * A busy connection keeps its worker for good (up to a limit) and then costs two system calls a
 * message. {@code DisconnectWatch} looks at connections whose message has been running for long.
 * The measurements behind this are in docs/decisions/0003-transport.md.
 *
 * <p><b>Threading rule.</b> Ownership passes through an executor or the selector's queue. The state
 * of a connection that its owner alone uses is not guarded; what the watch shares with it is
 * guarded by the connection's {@code socketLock}. Never interrupt a worker: an interrupted blocking
 * read closes the socket.
 */
package dev.wisent.server.transport;
