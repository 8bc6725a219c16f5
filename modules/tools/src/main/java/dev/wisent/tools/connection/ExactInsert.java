package dev.wisent.tools.connection;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.ServerAddress;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Inserts documents as they are. Servers put the time into empty timestamps at the top level,
 * unless they are told to keep them, which the driver cannot do. Thread-safe.
 */
public final class ExactInsert {
  private static final int UNKNOWN_FIELD = 40_415;

  private final Deployment deployment;
  private final MongoCollection<RawBsonDocument> collection;

  public ExactInsert(Deployment deployment, MongoCollection<RawBsonDocument> collection) {
    this.deployment = deployment;
    this.collection = collection;
  }

  /** Documents in their order, where each that {@link #isNeeded} is for is alone. */
  public static List<List<RawBsonDocument>> parts(List<RawBsonDocument> documents) {
    List<List<RawBsonDocument>> parts = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < documents.size(); i++) {
      if (isNeeded(documents.get(i))) {
        if (i > begin) {
          parts.add(documents.subList(begin, i));
        }
        parts.add(documents.subList(i, i + 1));
        begin = i + 1;
      }
    }
    if (begin < documents.size()) {
      parts.add(documents.subList(begin, documents.size()));
    }
    return parts;
  }

  /** Whether a server would change a document that is inserted or replaces another. */
  public static boolean isNeeded(RawBsonDocument document) {
    try (BsonReader reader = document.asBsonReader()) {
      reader.readStartDocument();
      for (BsonType type = reader.readBsonType();
          type != BsonType.END_OF_DOCUMENT;
          type = reader.readBsonType()) {
        boolean isId = reader.readName().equals("_id");
        if (type == BsonType.TIMESTAMP) {
          if (reader.readTimestamp().getValue() == 0 && !isId) {
            return true;
          }
        } else {
          reader.skipValue();
        }
      }
      return false;
    }
  }

  /** Inserts one of {@link #parts}, and fails as the driver does. */
  public void insertMany(List<RawBsonDocument> part, InsertManyOptions options) {
    if (part.size() > 1 || !isNeeded(part.getFirst())) {
      collection.insertMany(part, options);
      return;
    }
    MongoNamespace namespace = collection.getNamespace();
    BsonDocument command =
        new BsonDocument("insert", new BsonString(namespace.getCollectionName()))
            .append("documents", new BsonArray(part))
            .append("bypassEmptyTsReplacement", BsonBoolean.TRUE)
            .append("writeConcern", collection.getWriteConcern().asDocument());
    if (Boolean.TRUE.equals(options.getBypassDocumentValidation())) {
      command.append("bypassDocumentValidation", BsonBoolean.TRUE);
    }
    try {
      check(
          deployment.database(namespace.getDatabaseName()).runCommand(command, BsonDocument.class));
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != UNKNOWN_FIELD) {
        throw e;
      }
      collection.insertMany(part, options); // a server that cannot keep them
    }
  }

  private static void check(BsonDocument reply) {
    List<BulkWriteError> errors = new ArrayList<>();
    for (BsonValue each : reply.getArray("writeErrors", new BsonArray())) {
      BsonDocument error = each.asDocument();
      errors.add(
          new BulkWriteError(
              error.getNumber("code").intValue(),
              error.getString("errmsg", new BsonString("")).getValue(),
              error,
              error.getNumber("index").intValue()));
    }
    BsonDocument concern = reply.getDocument("writeConcernError", new BsonDocument());
    if (!errors.isEmpty() || !concern.isEmpty()) {
      throw new MongoBulkWriteException(
          BulkWriteResult.acknowledged(
              reply.getNumber("n").intValue(), 0, 0, 0, List.of(), List.of()),
          errors,
          concern.isEmpty()
              ? null
              : new WriteConcernError(
                  concern.getNumber("code").intValue(),
                  concern.getString("codeName", new BsonString("")).getValue(),
                  concern.getString("errmsg", new BsonString("")).getValue(),
                  concern.getDocument("errInfo", new BsonDocument())),
          new ServerAddress(),
          Set.of());
    }
  }
}
