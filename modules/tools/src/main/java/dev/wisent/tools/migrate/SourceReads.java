package dev.wisent.tools.migrate;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;

/**
 * Reads that are not older than a cluster time, and of what a majority has: what could be undone
 * would be copied, and no event would tell that it was. For one thread.
 */
final class SourceReads implements AutoCloseable {
  private static final ClientSessionOptions CAUSAL =
      ClientSessionOptions.builder().causallyConsistent(true).build();

  private final Deployment deployment;
  private final ClientSession session;

  SourceReads(Deployment deployment, BsonTimestamp time) {
    this.deployment = deployment;
    this.session = deployment.client().startSession(CAUSAL);
    if (time.getValue() != 0) {
      session.advanceOperationTime(time);
    }
  }

  FindIterable<RawBsonDocument> find(CollectionInfo info, BsonDocument filter) {
    MongoCollection<RawBsonDocument> collection =
        deployment.database(info.database()).getCollection(info.name(), RawBsonDocument.class);
    // A single server has no majority.
    return deployment.kind() == Kind.NODE
        ? collection.find(filter)
        : collection.withReadConcern(ReadConcern.MAJORITY).find(session, filter);
  }

  long count(CollectionInfo info) {
    MongoCollection<RawBsonDocument> collection =
        deployment.database(info.database()).getCollection(info.name(), RawBsonDocument.class);
    return deployment.kind() == Kind.NODE
        ? collection.countDocuments(new BsonDocument())
        : collection
            .withReadConcern(ReadConcern.MAJORITY)
            .countDocuments(session, new BsonDocument());
  }

  @Override
  public void close() {
    session.close();
  }
}
