package dev.wisent.sharding.advice;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.StringJoiner;

/**
 * A shard key to be judged.
 *
 * @param months a field of dates whose month is a new field of the documents, under the name {@link
 *     CoarseTime#nameFor}; null for none
 * @param idea why it was proposed; empty for a key that was given
 */
public record CandidateKey(ShardKeyPattern pattern, String months, String idea) {
  public static CandidateKey given(RawDocument pattern) {
    return new CandidateKey(ShardKeyPattern.of(pattern), null, "");
  }

  static CandidateKey found(String pattern, String idea) {
    return new CandidateKey(ShardKeyPattern.of(RawDocument.parse(pattern)), null, idea);
  }

  /** A document with the fields of the key. */
  RawDocument prepared(RawDocument document) {
    return months == null ? document : CoarseTime.add(document, months);
  }

  /** As it is typed in the shell. */
  public String text() {
    var text = new StringJoiner(", ", "{", "}");
    for (ElementCursor each = pattern.pattern().elements(); each.next(); ) {
      String name =
          each.name().matches("[A-Za-z_$][A-Za-z0-9_$]*") ? each.name() : "'" + each.name() + "'";
      text.add(name + ": " + (each.value().isNumber() ? "1" : "'hashed'"));
    }
    return text.toString();
  }
}
