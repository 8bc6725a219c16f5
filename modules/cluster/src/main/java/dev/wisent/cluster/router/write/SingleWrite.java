package dev.wisent.cluster.router.write;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.wire.DocumentSequence;
import java.util.List;

/** An update, delete or findAndModify of one document, in the forms that shards get it in. */
interface SingleWrite {
  /** A command without versions and without what it carries of the client's request. */
  record Form(Namespace namespace, RawDocument command, List<DocumentSequence> sequences) {
    /** The same as the attempt of a write whose shard was not known before; not for 0. */
    Form as(long attempt) {
      if (attempt == 0) {
        return this;
      }
      var out = new BsonBuilder(command.length() + 48).appendAll(command);
      out.startDocument("routing").appendInt64("attempt", attempt).end();
      return new Form(namespace, out.toDocument(), sequences);
    }
  }

  RawDocument query();

  boolean isUpsert();

  /** Asks for what identifies the document to change. */
  FindRequest search(RawDocument projection);

  /** Null for a removal. */
  UpdateStatement update();

  /** As the client sent it. */
  Form asGiven();

  /** The same without an upsert. */
  Form withoutUpsert();

  /** The same for what matches this filter, without an upsert. */
  Form restrictedTo(RawDocument filter);

  /** Inserts the document of an upsert that matched nothing. */
  Form inserting(RawDocument document);

  /** Its number, if it is a retryable write. */
  int statementId();

  /** The reply where no document was found. */
  RawDocument nothing();

  /** Whether a shard's reply says that a document was found. */
  boolean hasMatched(RawDocument reply);
}
