package dev.wisent.conformance.unified;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertManyResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** The driver's write results in the shape of the test format. */
final class WriteResults {

  private WriteResults() {}

  static BsonDocument of(InsertOneResult result) {
    if (!result.wasAcknowledged()) {
      return unacknowledged();
    }
    BsonDocument document = new BsonDocument();
    if (result.getInsertedId() != null) {
      document.put("insertedId", result.getInsertedId());
    }
    return document;
  }

  static BsonDocument of(InsertManyResult result) {
    return result.wasAcknowledged()
        ? new BsonDocument("insertedIds", byIndex(result.getInsertedIds()))
        : unacknowledged();
  }

  static BsonDocument of(UpdateResult result) {
    if (!result.wasAcknowledged()) {
      return unacknowledged();
    }
    BsonDocument document = new BsonDocument();
    document.put("matchedCount", new BsonInt64(result.getMatchedCount()));
    document.put("modifiedCount", new BsonInt64(result.getModifiedCount()));
    document.put("upsertedCount", new BsonInt64(result.getUpsertedId() == null ? 0 : 1));
    if (result.getUpsertedId() != null) {
      document.put("upsertedId", result.getUpsertedId());
    }
    return document;
  }

  static BsonDocument of(DeleteResult result) {
    return result.wasAcknowledged()
        ? new BsonDocument("deletedCount", new BsonInt64(result.getDeletedCount()))
        : unacknowledged();
  }

  static BsonDocument of(BulkWriteResult result) {
    if (!result.wasAcknowledged()) {
      return unacknowledged();
    }
    BsonDocument document = new BsonDocument();
    document.put("insertedCount", new BsonInt64(result.getInsertedCount()));
    document.put("matchedCount", new BsonInt64(result.getMatchedCount()));
    document.put("modifiedCount", new BsonInt64(result.getModifiedCount()));
    document.put("deletedCount", new BsonInt64(result.getDeletedCount()));
    document.put("upsertedCount", new BsonInt64(result.getUpserts().size()));
    BsonDocument inserted = new BsonDocument();
    result.getInserts().forEach(i -> inserted.put(Integer.toString(i.getIndex()), i.getId()));
    document.put("insertedIds", inserted);
    BsonDocument upserted = new BsonDocument();
    result.getUpserts().forEach(u -> upserted.put(Integer.toString(u.getIndex()), u.getId()));
    document.put("upsertedIds", upserted);
    return document;
  }

  private static BsonDocument byIndex(Map<Integer, BsonValue> ids) {
    BsonDocument document = new BsonDocument();
    ids.forEach((index, id) -> document.put(Integer.toString(index), id));
    return document;
  }

  private static BsonDocument unacknowledged() {
    return new BsonDocument("acknowledged", BsonBoolean.FALSE);
  }
}
