package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.cursor.OpenCursor;
import dev.wisent.server.privilege.Principal;
import java.util.ArrayList;
import java.util.List;

/** {@code $currentOp}: the running operations and, where asked for, who waits for its next one. */
public final class CurrentOpSource {
  private final CurrentOperations operations;
  private final CursorRegistry cursors;

  public CurrentOpSource(CurrentOperations operations, CursorRegistry cursors) {
    this.operations = operations;
    this.cursors = cursors;
  }

  public List<RawDocument> documents(
      Namespace namespace, RawDocument argument, OperationContext operation) {
    if (!namespace.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "$currentOp must be run against the 'admin' database with {aggregate: 1}");
    }
    boolean idleConnections = false;
    boolean idleCursors = false;
    boolean idleSessions = true;
    boolean allUsers = false;
    ElementCursor options = argument.elements();
    while (options.next()) {
      switch (options.name()) {
        case "idleConnections" -> idleConnections = flag(options);
        case "idleCursors" -> idleCursors = flag(options);
        case "idleSessions" -> idleSessions = flag(options);
        case "allUsers" -> allUsers = flag(options);
        // This is the only node.
        case "localOps", "truncateOps", "targetAllNodes" -> flag(options);
        case "backtrace" -> refuseBacktrace(flag(options));
        default ->
            throw new CommandException(
                ErrorCode.FAILED_TO_PARSE,
                "Unrecognized option '" + options.name() + "' in $currentOp stage.");
      }
    }
    Principal onlyOf = allUsers ? Principal.UNRESTRICTED : operations.principalOf(operation);
    List<RawDocument> list = operations.list(operation, idleConnections, idleSessions, onlyOf);
    return idleCursors ? withIdleCursors(list, operation, onlyOf) : list;
  }

  /** The one that a command runs for, by its context. */
  public Principal principalOf(OperationContext operation) {
    return operations.principalOf(operation);
  }

  private static boolean flag(ElementCursor options) {
    RawValue value = options.value();
    if (value.type() != ElementType.BOOLEAN) {
      boolean seenFirst = options.name().equals("allUsers") || options.name().equals("localOps");
      throw new CommandException(
          seenFirst ? ErrorCode.TYPE_MISMATCH : ErrorCode.FAILED_TO_PARSE,
          "The '"
              + options.name()
              + "' parameter of the $currentOp stage must be a boolean value, but found: "
              + ElementType.alias(value.type()));
    }
    return value.asBoolean();
  }

  /** It would show the stacks of threads that wait for latches. */
  private static void refuseBacktrace(boolean wanted) {
    if (wanted) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "$currentOp: backtrace is not supported: no stacks are kept");
    }
  }

  private List<RawDocument> withIdleCursors(
      List<RawDocument> running, OperationContext operation, Principal onlyOf) {
    var list = new ArrayList<>(running);
    for (CursorRegistry.Progress idle : cursors.idle()) {
      if (onlyOf.owns(idle.cursor().origin().owner())) {
        list.add(describe(idle, operation));
      }
    }
    return list;
  }

  private RawDocument describe(CursorRegistry.Progress idle, OperationContext operation) {
    OpenCursor cursor = idle.cursor();
    var out = new BsonBuilder();
    out.appendString("type", "idleCursor");
    out.appendString("host", operations.host());
    out.appendString("ns", cursor.namespace().full());
    if (cursor.sessionId() != null) {
      out.append("lsid", cursor.sessionId());
    }
    CursorDocument.append(idle, operation.clock(), out);
    return out.toDocument();
  }
}
