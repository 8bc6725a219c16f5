package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.DocumentSequence;
import java.util.ArrayList;
import java.util.List;

/**
 * A command as it came in: the body, the document sequences beside it, and the arguments that every
 * command takes, found in one pass.
 */
public final class CommandRequest {
  private final String name;
  private final RawDocument body;
  private final List<DocumentSequence> sequences;
  private final boolean exhaustAllowed;
  private String database;
  private RawValue sessionId;
  private Long transactionNumber;
  private boolean startTransaction;
  private Boolean autocommit;
  private long maxTimeMillis;
  private RawDocument readConcern;
  private RawDocument writeConcern;
  private RawValue comment;
  private String apiVersion;
  private boolean apiStrict;
  private boolean apiDeprecationErrors;
  private boolean help;
  private boolean continues;

  private CommandRequest(
      String name, RawDocument body, List<DocumentSequence> sequences, boolean exhaustAllowed) {
    this.name = name;
    this.body = body;
    this.sequences = sequences;
    this.exhaustAllowed = exhaustAllowed;
  }

  /** Reads the generic arguments of a body. The database is null where {@code $db} is missing. */
  public static CommandRequest parse(
      RawDocument body, List<DocumentSequence> sequences, boolean exhaustAllowed) {
    ElementCursor fields = body.elements();
    if (!fields.next()) {
      throw new CommandException(ErrorCode.COMMAND_NOT_FOUND, "no such command: ''");
    }
    var request = new CommandRequest(fields.name(), body, sequences, exhaustAllowed);
    var duplicates = new DuplicateFields(body);
    do {
      duplicates.check(fields, request.nameInErrors());
      request.readGeneric(fields);
    } while (fields.next());
    return request;
  }

  private void readGeneric(ElementCursor field) {
    GenericArgument argument = GenericArgument.at(field);
    if (argument == null) {
      return;
    }
    RawValue value = field.value();
    if (value.isNullish()) {
      return;
    }
    switch (argument) {
      case DB -> database = ArgumentTypes.string(path(field), value);
      case LSID -> sessionId = SessionArguments.checkedId(path(field), value);
      case TXN_NUMBER -> transactionNumber = SessionArguments.checkedNumber(path(field), value);
      case START_TRANSACTION -> startTransaction = ArgumentTypes.strictBool(path(field), value);
      case AUTOCOMMIT -> autocommit = ArgumentTypes.strictBool(path(field), value);
      case MAX_TIME_MS -> maxTimeMillis = ArgumentTypes.maxTimeMillis(path(field), value);
      case READ_CONCERN -> readConcern = ArgumentTypes.document(path(field), value);
      case WRITE_CONCERN -> writeConcern = ArgumentTypes.document(path(field), value);
      case COMMENT -> comment = value;
      case API_VERSION -> apiVersion = ArgumentTypes.string(path(field), value);
      case API_STRICT -> apiStrict = ArgumentTypes.strictBool(path(field), value);
      case API_DEPRECATION_ERRORS ->
          apiDeprecationErrors = ArgumentTypes.strictBool(path(field), value);
      case HELP -> help = value.isTruthy();
      case IGNORED -> {}
    }
  }

  private String path(ElementCursor field) {
    return nameInErrors() + "." + field.name();
  }

  /** What stands before a field's name in errors: MongoDB's parsers of two commands differ. */
  String nameInErrors() {
    return switch (name) {
      case "find" -> "FindCommandRequest";
      case "distinct" -> "distinctCommandRequest";
      default -> name;
    };
  }

  /** Takes the database from elsewhere: a legacy query names it in its collection. */
  public void database(String fromLegacyQuery) {
    database = fromLegacyQuery;
  }

  public String name() {
    return name;
  }

  public String database() {
    return database;
  }

  public RawDocument body() {
    return body;
  }

  /** The value of the command's own field, such as the collection's name. */
  public RawValue argument() {
    ElementCursor fields = body.elements();
    fields.next();
    return fields.value();
  }

  public boolean exhaustAllowed() {
    return exhaustAllowed;
  }

  /** The {@code lsid} document; null without a session. */
  public RawValue sessionId() {
    return sessionId;
  }

  /** Null outside of transactions and retryable writes. */
  public Long transactionNumber() {
    return transactionNumber;
  }

  public boolean startTransaction() {
    return startTransaction;
  }

  /** Null if the client did not say. */
  public Boolean autocommit() {
    return autocommit;
  }

  public long maxTimeMillis() {
    return maxTimeMillis;
  }

  /** Null if there is none. */
  public RawDocument readConcern() {
    return readConcern;
  }

  /** Null if there is none. */
  public RawDocument writeConcern() {
    return writeConcern;
  }

  public RawValue comment() {
    return comment;
  }

  public String apiVersion() {
    return apiVersion;
  }

  public boolean apiStrict() {
    return apiStrict;
  }

  public boolean apiDeprecationErrors() {
    return apiDeprecationErrors;
  }

  public boolean isHelp() {
    return help;
  }

  /** Asks, where the client allowed it, for another run of this command after its reply is sent. */
  public void continueAfterReply() {
    continues = exhaustAllowed;
  }

  /** Whether the last run asked to be continued. */
  public boolean continues() {
    return continues;
  }

  /** The request for the next run. */
  public CommandRequest next() {
    continues = false;
    return this;
  }

  /** The sequence of this name, or null. */
  public List<RawDocument> sequence(String field) {
    for (DocumentSequence sequence : sequences) {
      if (sequence.name().equals(field)) {
        return sequence.documents();
      }
    }
    return null;
  }

  public List<DocumentSequence> sequences() {
    return sequences;
  }

  /** The documents of an array in the body. */
  static List<RawDocument> documentsOf(String path, RawValue array) {
    var documents = new ArrayList<RawDocument>();
    ElementCursor elements = ArgumentTypes.array(path, array).elements();
    while (elements.next()) {
      if (elements.type() != ElementType.DOCUMENT) {
        throw ArgumentTypes.wrongType(path + "." + elements.name(), elements.type(), "object");
      }
      documents.add(elements.value().asDocument());
    }
    return documents;
  }
}
