package dev.wisent.database.collection;

/** What a shard does around changes of the tables that say what it owns. */
public interface TableChanges {
  /** Of a node that is no shard. */
  TableChanges NONE =
      new TableChanges() {
        @Override
        public boolean isNumber(Collection collection) {
          return false;
        }

        @Override
        public void around(Runnable change) {
          change.run();
        }
      };

  /** Whether every change of the tables changes a document of a collection, too. */
  boolean isNumber(Collection collection);

  /** Makes a change. */
  void around(Runnable change);
}
