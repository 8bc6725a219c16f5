package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.ValidatorCheck;
import dev.wisent.operation.index.ExpireAfterSeconds;
import dev.wisent.query.collation.Collation;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import java.util.Set;

/** The options of {@code create}: checked, and in the form that is stored and listed. */
final class CreateOptions {
  private static final long CAPPED_BYTES_MAX = 1L << 50;
  private static final int CAPPED_BYTES_STEP = 256;

  private final BsonBuilder stored = new BsonBuilder();
  private boolean capped;
  private boolean clustered;
  private long size = -1;
  private long max = -1;
  private long expireAfterSeconds = -1;
  private final Namespace namespace;
  private final long nowMillis;

  private CreateOptions(Namespace namespace, long nowMillis) {
    this.namespace = namespace;
    this.nowMillis = nowMillis;
  }

  static RawDocument parse(CommandRequest request, Namespace namespace, long nowMillis) {
    var options = new CreateOptions(namespace, nowMillis);
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      options.read(reader);
    }
    return options.finish();
  }

  private void read(ArgumentReader reader) {
    switch (reader.name()) {
      case "capped" -> capped = reader.bool();
      case "size" -> size = ArgumentTypes.atLeast(1, reader.path(), reader.value());
      case "max" -> max = reader.wholeNumber();
      case "autoIndexId" -> requireTrue(reader);
      case "validator" -> {
        ValidatorCheck.check(reader.document(), namespace);
        stored.appendDocument("validator", reader.document());
      }
      case "validationLevel" -> oneOf(reader, ValidatorCheck.LEVELS);
      case "validationAction" -> oneOf(reader, ValidatorCheck.ACTIONS);
      case "clusteredIndex" -> clusteredIndex(reader);
      case "storageEngine", "indexOptionDefaults" ->
          stored.appendDocument(reader.name(), reader.document());
      case "expireAfterSeconds" ->
          expireAfterSeconds = ExpireAfterSeconds.ofCollection(reader.wholeNumber(), nowMillis);
      case "collation" -> collation(reader);
      case "temp" -> reader.refuseIfSet();
      case PreAndPostImagesOption.NAME -> {
        if (PreAndPostImagesOption.isEnabled(reader, namespace)) {
          stored.appendDocument(PreAndPostImagesOption.NAME, PreAndPostImagesOption.ENABLED);
        }
      }
      case "viewOn" -> stored.appendString("viewOn", reader.string());
      case "pipeline" -> stored.appendArray("pipeline", reader.array());
      case "timeseries", "encryptedFields" ->
          throw new CommandException(
              ErrorCode.NOT_IMPLEMENTED, "create: " + reader.name() + " is not supported yet");
      default -> reader.unknown();
    }
  }

  private static void requireTrue(ArgumentReader reader) {
    if (!reader.bool()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "autoIndexId can no longer be false");
    }
  }

  private void oneOf(ArgumentReader reader, Set<String> allowed) {
    String value = reader.string();
    if (!allowed.contains(value)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Enumeration value '"
              + value
              + "' for field '"
              + reader.path()
              + "' is not a valid value.");
    }
    stored.appendString(reader.name(), value);
  }

  private void clusteredIndex(ArgumentReader reader) {
    RawDocument key = null;
    boolean unique = false;
    String name = "_id_";
    ArgumentReader fields = ArgumentReader.of(reader.path(), reader.document());
    while (fields.next()) {
      switch (fields.name()) {
        case "v" -> fields.wholeNumber();
        case "key" -> key = fields.document();
        case "unique" -> unique = fields.bool();
        case "name" -> name = fields.string();
        default -> fields.unknown();
      }
    }
    if (key == null) {
      throw ArgumentTypes.missing(reader.path() + ".key");
    }
    if (!unique) {
      throw new CommandException(
          ErrorCode.CLUSTERED_INDEX_NOT_UNIQUE,
          "The clusteredIndex option requires unique: true to be specified");
    }
    if (!isIdAscending(key)) {
      throw new CommandException(
          ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION,
          "The clusteredIndex option is only supported for key: {_id: 1}");
    }
    clustered = true;
    stored.startDocument("clusteredIndex");
    stored.appendInt32("v", 2);
    stored.startDocument("key").appendInt32("_id", 1).end();
    stored.appendString("name", name);
    stored.appendBoolean("unique", true);
    stored.end();
  }

  private static boolean isIdAscending(RawDocument key) {
    ElementCursor fields = key.elements();
    return fields.next()
        && fields.name().equals("_id")
        && fields.value().isNumber()
        && fields.value().toDouble() == 1
        && !fields.next();
  }

  /** The simple collation is what a collection has without the option. */
  private void collation(ArgumentReader reader) {
    Collation collation = Collation.parse(reader.document(), reader.path());
    if (collation != null) {
      stored.appendDocument("collation", collation.document());
    }
  }

  private RawDocument finish() {
    if (!capped && (size >= 0 || max >= 0)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "the 'capped' field needs to be true when either the 'size' or 'max' fields are"
              + " present");
    }
    if (expireAfterSeconds >= 0) {
      if (!clustered) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "'expireAfterSeconds' is only supported on time-series collections or when the"
                + " 'clusteredIndex' option is specified");
      }
      stored.appendInt64("expireAfterSeconds", expireAfterSeconds);
    }
    if (capped) {
      if (clustered) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "Capped clustered collection is not supported");
      }
      if (size < 0) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "the 'size' field is required when 'capped' is true");
      }
      appendCapped(stored, size, max);
    }
    return stored.toDocument();
  }

  /** Writes the limits of a capped collection as MongoDB rounds them. */
  static void appendCapped(BsonBuilder out, long size, long max) {
    out.appendBoolean("capped", true);
    out.append("size", cappedSize(size));
    if (max > Integer.MAX_VALUE) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "max in a capped collection has to be < 2^31 or not set");
    }
    if (max > 0) {
      out.append("max", number(max));
    }
  }

  /** The size of a capped collection in the form that is stored: a multiple of 256. */
  static RawValue cappedSize(long size) {
    if (size > CAPPED_BYTES_MAX) {
      throw new CommandException(ErrorCode.BAD_VALUE, "size cannot exceed 1 PB");
    }
    return number((size + CAPPED_BYTES_STEP - 1) / CAPPED_BYTES_STEP * CAPPED_BYTES_STEP);
  }

  private static RawValue number(long value) {
    return value <= Integer.MAX_VALUE ? RawValue.ofInt32((int) value) : RawValue.ofInt64(value);
  }
}
