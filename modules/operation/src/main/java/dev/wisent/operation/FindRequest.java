package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.match.MatchExpression;

/**
 * What a find asks for. Absent documents are empty, absent numbers 0.
 *
 * @param parsedFilter the filter in the collation of the request, if it is parsed already; null
 *     otherwise
 * @param hint null, an index name, a key pattern or {@code {$natural: ±1}}
 * @param min inclusive lower bound by the hinted index, or null
 * @param max exclusive upper bound by the hinted index, or null
 * @param cursorOption the name of an option that is for the cursor of a find, not of a pipeline,
 *     and that a view therefore does not know; null for none
 * @param batchSize how many documents the first batch has, which a router asks its shards for; -1
 *     for the usual number
 * @param partialResults whether the documents of shards that answer are enough
 * @param needs what those who go on with the documents look at
 */
public record FindRequest(
    Namespace namespace,
    RawDocument filter,
    MatchExpression parsedFilter,
    RawDocument projection,
    RawDocument sort,
    RawValue hint,
    long skip,
    long limit,
    RawDocument min,
    RawDocument max,
    boolean returnKey,
    boolean showRecordId,
    Tailing tailing,
    CollationChoice collation,
    String cursorOption,
    long batchSize,
    boolean partialResults,
    PipelineDependencies needs)
    implements Explainable {

  /** Whether the cursor stays open at the end of a capped collection. */
  public enum Tailing {
    NONE,
    TAILABLE,
    AWAIT_DATA
  }

  /** All documents that match, with nothing else asked for. */
  public static FindRequest of(Namespace namespace, RawDocument filter) {
    return new Builder().filter(filter).build(namespace);
  }

  /** Takes what differs from a find of all documents. */
  public static final class Builder {
    private RawDocument filter = RawDocument.EMPTY;
    private MatchExpression parsedFilter;
    private RawDocument projection = RawDocument.EMPTY;
    private RawDocument sort = RawDocument.EMPTY;
    private RawValue hint;
    private long skip;
    private long limit;
    private RawDocument min;
    private RawDocument max;
    private boolean returnKey;
    private boolean showRecordId;
    private Tailing tailing = Tailing.NONE;
    private CollationChoice collation = CollationChoice.INHERITED;
    private String cursorOption;
    private long batchSize = -1;
    private boolean partialResults;
    private PipelineDependencies needs = PipelineDependencies.NONE;

    public Builder filter(RawDocument filter) {
      this.filter = filter;
      return this;
    }

    /** The filter in the collation of the request. */
    public Builder parsedFilter(MatchExpression parsedFilter) {
      this.parsedFilter = parsedFilter;
      return this;
    }

    public Builder projection(RawDocument projection) {
      this.projection = projection;
      return this;
    }

    public Builder sort(RawDocument sort) {
      this.sort = sort;
      return this;
    }

    public Builder hint(RawValue hint) {
      this.hint = hint;
      return this;
    }

    public Builder skip(long skip) {
      this.skip = skip;
      return this;
    }

    public Builder limit(long limit) {
      this.limit = limit;
      return this;
    }

    public Builder min(RawDocument min) {
      this.min = min;
      return this;
    }

    public Builder max(RawDocument max) {
      this.max = max;
      return this;
    }

    public Builder returnKey(boolean returnKey) {
      this.returnKey = returnKey;
      return this;
    }

    public Builder showRecordId(boolean showRecordId) {
      this.showRecordId = showRecordId;
      return this;
    }

    public Builder tailing(Tailing tailing) {
      this.tailing = tailing;
      return this;
    }

    public Builder collation(CollationChoice collation) {
      this.collation = collation;
      return this;
    }

    public Builder cursorOption(String cursorOption) {
      this.cursorOption = cursorOption;
      return this;
    }

    public Builder batchSize(long batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    public Builder partialResults(boolean partialResults) {
      this.partialResults = partialResults;
      return this;
    }

    public Builder needs(PipelineDependencies needs) {
      this.needs = needs;
      return this;
    }

    public FindRequest build(Namespace namespace) {
      return new FindRequest(
          namespace,
          filter,
          parsedFilter,
          projection,
          sort,
          hint,
          skip,
          limit,
          min,
          max,
          returnKey,
          showRecordId,
          tailing,
          collation,
          cursorOption,
          batchSize,
          partialResults,
          needs);
    }
  }
}
