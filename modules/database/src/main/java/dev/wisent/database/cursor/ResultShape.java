package dev.wisent.database.cursor;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.RecordSource;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.projection.Projection;

/**
 * What is made of a record for the client.
 *
 * @param projection null to leave documents as they are
 * @param filter the query, for projections that need to know which array element matched
 */
public record ResultShape(
    Projection projection, MatchExpression filter, boolean returnKey, boolean showRecordId) {
  public static final ResultShape WHOLE = new ResultShape(null, null, false, false);

  public boolean isIdentity() {
    return projection == null && !returnKey && !showRecordId;
  }

  /** The document to send; valid until the next call with the same builder. */
  public RawDocument apply(RecordSource source, BsonBuilder out) {
    out.reset(0);
    RawDocument document = source.document();
    if (returnKey) {
      RawDocument key = source.keyDocument();
      if (key != null) {
        out.appendAll(key);
      }
    } else if (projection == null) {
      out.appendAll(document);
    } else {
      projection.append(document, matchDetails(document), out);
    }
    if (showRecordId) {
      out.appendInt64("$recordId", source.recordId());
    }
    out.end();
    return new RawDocument(out.bytes(), 0, out.position());
  }

  private MatchDetails matchDetails(RawDocument document) {
    if (filter == null || !projection.needsMatchDetails()) {
      return null;
    }
    var details = new MatchDetails();
    filter.matches(document, details);
    return details;
  }
}
