package dev.wisent.database.explain;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.query.text.TextIndexSpec;
import dev.wisent.query.text.TextSearch;
import java.util.Collection;

/** A text search, as MongoDB shows how it has understood it. */
final class TextDocument {
  private TextDocument() {}

  static void append(PlanNode.TextMatch match, BsonBuilder out) {
    TextSearch search = match.search();
    out.appendDocument("indexPrefix", match.prefix());
    out.appendString("indexName", match.index().name());
    out.startDocument("parsedTextQuery");
    append("terms", search.terms(), out);
    append("negatedTerms", search.negatedTerms(), out);
    append("phrases", search.phrases(), out);
    append("negatedPhrases", search.negatedPhrases(), out);
    out.end();
    out.appendInt32("textIndexVersion", TextIndexSpec.VERSION);
  }

  private static void append(String name, Collection<String> texts, BsonBuilder out) {
    out.startArray(name);
    int index = 0;
    for (String text : texts) {
      out.append(index++, RawValue.ofString(text));
    }
    out.end();
  }
}
