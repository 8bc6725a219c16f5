package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ShardKeyPattern;

/**
 * The arguments of {@code analyzeShardKey}.
 *
 * @param sampleRate how much of the collection is counted; null for what the size says
 * @param sampleSize how many documents are counted
 */
record AnalyzeShardKeyRequest(
    Namespace namespace,
    ShardKeyPattern key,
    boolean keyCharacteristics,
    boolean readWriteDistribution,
    Double sampleRate,
    long sampleSize) {
  private static final long SAMPLE_SIZE_DEFAULT = 10_000_000;

  static AnalyzeShardKeyRequest parse(CommandRequest request) {
    RawDocument key = null;
    boolean keyCharacteristics = true;
    boolean readWriteDistribution = true;
    Double sampleRate = null;
    Long sampleSize = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "key" -> key = reader.document();
        case "keyCharacteristics" -> keyCharacteristics = reader.bool();
        case "readWriteDistribution" -> readWriteDistribution = reader.bool();
        case "sampleRate" -> sampleRate = rate(reader);
        case "sampleSize" -> sampleSize = ArgumentTypes.atLeast(1, reader.path(), reader.value());
        default -> reader.unknown();
      }
    }
    if (key == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".key");
    }
    if (!keyCharacteristics && !readWriteDistribution) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, "Cannot skip analyzing all metrics");
    }
    if (sampleRate != null && sampleSize != null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Cannot specify both 'sampleRate' and 'sampleSize'");
    }
    return new AnalyzeShardKeyRequest(
        AnalyzedNamespace.of(request),
        ShardKeyPattern.of(key),
        keyCharacteristics,
        readWriteDistribution,
        sampleRate,
        sampleSize == null ? SAMPLE_SIZE_DEFAULT : sampleSize);
  }

  private static double rate(ArgumentReader reader) {
    double rate = AnalyzedNamespace.number(reader);
    if (!(rate > 0 && rate <= 1)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "BSON field '%s' value must be greater than 0 and less than or equal to 1, actual value '%s'"
              .formatted(reader.path(), rate));
    }
    return rate;
  }

  /** The share of so many documents that is counted. */
  double rateOf(long documents) {
    return sampleRate != null ? sampleRate : Math.min(1, (double) sampleSize / documents);
  }
}
