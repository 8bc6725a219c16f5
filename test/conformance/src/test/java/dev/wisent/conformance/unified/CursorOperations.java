package dev.wisent.conformance.unified;

/** Reading from and closing an open cursor. */
final class CursorOperations {

  private CursorOperations() {}

  static void addTo(OperationTable<CursorEntity> table) {
    table.add("iterateUntilDocumentOrError", (cursor, call) -> OperationResult.of(cursor.next()));
    table.add(
        "iterateOnce",
        (cursor, call) ->
            cursor
                .tryNext()
                .<OperationResult>map(OperationResult::of)
                .orElseGet(OperationResult::none));
    table.add("close", CursorOperations::close);
  }

  private static OperationResult close(CursorEntity cursor, Call call) {
    cursor.close();
    return OperationResult.none();
  }
}
