package dev.wisent.conformance.unified;

import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientBulkWriteResult.VerboseResults;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** Results of {@code clientBulkWrite} in the shape of the test format. */
final class ClientBulkWriteResults {

  private ClientBulkWriteResults() {}

  static BsonDocument of(ClientBulkWriteResult result) {
    if (!result.isAcknowledged()) {
      return new BsonDocument("acknowledged", BsonBoolean.FALSE);
    }
    BsonDocument document = new BsonDocument();
    document.put("insertedCount", new BsonInt64(result.getInsertedCount()));
    document.put("upsertedCount", new BsonInt64(result.getUpsertedCount()));
    document.put("matchedCount", new BsonInt64(result.getMatchedCount()));
    document.put("modifiedCount", new BsonInt64(result.getModifiedCount()));
    document.put("deletedCount", new BsonInt64(result.getDeletedCount()));
    result.getVerboseResults().ifPresent(verbose -> addVerbose(document, verbose));
    return document;
  }

  private static void addVerbose(BsonDocument document, VerboseResults verbose) {
    BsonDocument inserts = new BsonDocument();
    verbose
        .getInsertResults()
        .forEach(
            (index, insert) -> {
              BsonDocument one = new BsonDocument();
              insert.getInsertedId().ifPresent(id -> one.put("insertedId", id));
              inserts.put(Integer.toString(index), one);
            });
    document.put("insertResults", inserts);
    BsonDocument updates = new BsonDocument();
    verbose
        .getUpdateResults()
        .forEach(
            (index, update) -> {
              BsonDocument one = new BsonDocument();
              one.put("matchedCount", new BsonInt64(update.getMatchedCount()));
              one.put("modifiedCount", new BsonInt64(update.getModifiedCount()));
              update.getUpsertedId().ifPresent(id -> one.put("upsertedId", id));
              updates.put(Integer.toString(index), one);
            });
    document.put("updateResults", updates);
    BsonDocument deletes = new BsonDocument();
    verbose
        .getDeleteResults()
        .forEach(
            (index, delete) ->
                deletes.put(
                    Integer.toString(index),
                    new BsonDocument("deletedCount", new BsonInt64(delete.getDeletedCount()))));
    document.put("deleteResults", deletes);
  }
}
