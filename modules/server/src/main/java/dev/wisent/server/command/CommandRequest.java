package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.server.privilege.Principal;
import dev.wisent.wire.DocumentSequence;
import java.util.List;
import java.util.Set;

/**
 * A command as it came in: the body, the document sequences beside it, and the arguments that every
 * command takes, found in one pass.
 */
public final class CommandRequest {
  private final String name;
  private final RawDocument body;
  private final List<DocumentSequence> sequences;
  private final boolean exhaustAllowed;
  private final String legacyDatabase;
  private String database;
  private RawValue sessionId;
  private SessionId session;
  private Principal principal = Principal.UNRESTRICTED;
  private Long transactionNumber;
  private Integer statementId;
  private Boolean startTransaction;
  private Boolean autocommit;
  private long maxTimeMillis;
  private RawDocument readConcern;
  private RawDocument writeConcern;
  private RawValue comment;
  private ApiArguments api = ApiArguments.NONE;
  private boolean help;
  private ReadPreference readPreference = ReadPreference.PRIMARY;
  private RawDocument clusterTime;
  private RawDocument shardVersion;
  private RawDocument databaseVersion;
  private RawDocument routing;
  private boolean continues;
  private boolean ofChangeStream;
  private long toldTopology = -1;

  private CommandRequest(
      RawDocument body,
      List<DocumentSequence> sequences,
      boolean exhaustAllowed,
      String legacyDatabase) {
    ElementCursor fields = body.elements();
    this.name = fields.next() ? fields.name() : "";
    this.body = body;
    this.sequences = sequences;
    this.exhaustAllowed = exhaustAllowed;
    this.legacyDatabase = legacyDatabase;
  }

  public static CommandRequest of(
      RawDocument body, List<DocumentSequence> sequences, boolean exhaustAllowed) {
    return new CommandRequest(body, sequences, exhaustAllowed, null);
  }

  /** A command in a legacy query, which names the database in its collection. */
  public static CommandRequest ofLegacyQuery(RawDocument body, String database) {
    return new CommandRequest(body, List.of(), false, database);
  }

  /**
   * A command that a request stands for: the one that opened a cursor, or one in an entry of a log.
   *
   * @param database that of the command, where it does not say
   */
  public static CommandRequest implied(RawDocument body, String database) {
    boolean named = body.get("$db") != null;
    var request = new CommandRequest(body, List.of(), false, named ? null : database);
    request.readGenericArguments();
    return request;
  }

  /** The command inside an explain, in the same database. */
  public CommandRequest explained(RawDocument inner) {
    CommandRequest request = implied(inner, database);
    request.runFor(principal);
    return request;
  }

  /** The same with another value of the command's own field. */
  CommandRequest withArgument(String value) {
    var changed = new BsonBuilder(body.length() + value.length() + 16);
    changed.appendString(name, value).appendAll(body.without(Set.of(name)));
    return withBody(changed.toDocument());
  }

  /** The same, for the same principal, with another body. */
  public CommandRequest withBody(RawDocument other) {
    var request = new CommandRequest(other, sequences, exhaustAllowed, legacyDatabase);
    request.readGenericArguments();
    request.runFor(principal);
    return request;
  }

  /** The same with one more field. */
  public CommandRequest with(String field, RawDocument value) {
    var longer = new BsonBuilder(body.length() + value.length() + 16);
    return withBody(longer.appendAll(body).appendDocument(field, value).toDocument());
  }

  /** The command without what only concerns its transport, as explain repeats it. */
  public RawDocument commandDocument() {
    return GenericArgument.withoutTransport(body, database);
  }

  /** Reads the arguments that every command takes, in one pass. Before this they are all absent. */
  public void readGenericArguments() {
    ElementCursor fields = body.elements();
    var duplicates = new DuplicateFields(body);
    while (fields.next()) {
      duplicates.check(fields, nameInErrors());
      readGeneric(fields);
    }
    if (legacyDatabase != null) {
      if (database != null) {
        throw new CommandException(
            ErrorCode.DATABASE_IN_LEGACY_QUERY, "$db is not allowed in OP_QUERY requests");
      }
      database = legacyDatabase;
    }
    if (database == null) {
      throw new CommandException(
          ErrorCode.DATABASE_MISSING, "OP_MSG requests require a $db argument");
    }
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
      case LSID -> {
        session = SessionArguments.checkedId(path(field), value);
        sessionId = value;
      }
      case TXN_NUMBER -> transactionNumber = SessionArguments.checkedNumber(path(field), value);
      case START_TRANSACTION -> startTransaction = ArgumentTypes.strictBool(path(field), value);
      case AUTOCOMMIT -> autocommit = ArgumentTypes.strictBool(path(field), value);
      case MAX_TIME_MS -> maxTimeMillis = ArgumentTypes.maxTimeMillis(path(field), value);
      case READ_CONCERN -> readConcern = ArgumentTypes.document(path(field), value);
      case WRITE_CONCERN -> writeConcern = ArgumentTypes.document(path(field), value);
      case COMMENT -> comment = value;
      case API_VERSION -> api = api.withVersion(ArgumentTypes.string(path(field), value));
      case API_STRICT -> api = api.withStrict(ArgumentTypes.strictBool(path(field), value));
      case API_DEPRECATION_ERRORS ->
          api = api.withDeprecationErrors(ArgumentTypes.strictBool(path(field), value));
      case STMT_ID -> statementId = SessionArguments.checkedStatement(path(field), value);
      case HELP -> help = value.isTruthy();
      case READ_PREFERENCE ->
          readPreference = ReadPreference.parse(ArgumentTypes.document("$readPreference", value));
      case CLUSTER_TIME -> clusterTime = ArgumentTypes.document("$clusterTime", value);
      case SHARD_VERSION -> shardVersion = ArgumentTypes.document(path(field), value);
      case DATABASE_VERSION -> databaseVersion = ArgumentTypes.document(path(field), value);
      case ROUTING -> routing = ArgumentTypes.document(path(field), value);
      case IGNORED -> {}
    }
  }

  /**
   * Sets the one that the command runs for. Its session is that one's own from here on, whatever
   * the client says: what belongs to the session of another user is out of reach.
   */
  public void runFor(Principal other) {
    principal = other;
    if (session != null && other.sessionDigest() != null) {
      session = SessionArguments.owned(session, other);
      sessionId = RawValue.ofDocument(session.document());
    }
  }

  /** The one that the command runs for. */
  public Principal principal() {
    return principal;
  }

  /** The length of the body and the sequences beside it, about. */
  public long argumentBytes() {
    long bytes = body.length();
    for (DocumentSequence sequence : sequences) {
      bytes += sequence.bytes();
    }
    return bytes;
  }

  private String path(ElementCursor field) {
    return nameInErrors() + "." + field.name();
  }

  /** What stands before a field's name in errors. */
  public String nameInErrors() {
    return NameInErrors.of(name);
  }

  /** The command's own field in errors. */
  public String pathOfArgument() {
    return nameInErrors() + "." + nameInErrors();
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

  /** The namespace that the command names, as currentOp and logs show it. */
  public String namespaceText() {
    RawValue collection = name.equals("getMore") ? body.get("collection") : argument();
    return collection != null && collection.isString()
        ? database + "." + collection.asString()
        : database + ".$cmd";
  }

  public boolean exhaustAllowed() {
    return exhaustAllowed;
  }

  /** The {@code lsid} document; null without a session. */
  public RawValue sessionId() {
    return sessionId;
  }

  /** What {@link #sessionId()} says; null without a session. */
  public SessionId session() {
    return session;
  }

  /** The number of the first statement; null if the client gave none. */
  Integer statementId() {
    return statementId;
  }

  /** Null outside of transactions and retryable writes. */
  public Long transactionNumber() {
    return transactionNumber;
  }

  /** Null if the client did not say. */
  Boolean startTransaction() {
    return startTransaction;
  }

  /** Whether a transaction begins with this command; the arguments have been checked. */
  public boolean startsTransaction() {
    return startTransaction != null;
  }

  /** Whether the command belongs to a transaction; the arguments have been checked. */
  public boolean isInTransaction() {
    return autocommit != null && transactionNumber != null;
  }

  /** The transaction that the command belongs to; null if it belongs to none. */
  public TransactionId transaction() {
    return isInTransaction() ? new TransactionId(session, transactionNumber) : null;
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

  /** What the client says about the stable API. */
  public ApiArguments api() {
    return api;
  }

  public boolean isHelp() {
    return help;
  }

  /** Which members may answer. */
  public ReadPreference readPreference() {
    return readPreference;
  }

  /** The cluster time that the client knows, signed; null if it sent none. */
  public RawDocument clusterTime() {
    return clusterTime;
  }

  /** The version of the collection that the request was routed with; null if it was not routed. */
  public RawDocument shardVersion() {
    return shardVersion;
  }

  /** The version of the database that the request was routed with; null if it was not routed. */
  public RawDocument databaseVersion() {
    return databaseVersion;
  }

  /** What a router says to a shard of how a write is to be executed; null if it says nothing. */
  public RawDocument routing() {
    return routing;
  }

  /** Notes that the command reads a change stream. */
  public void readsChangeStream() {
    ofChangeStream = true;
  }

  /** Whether a run found that it reads a change stream. */
  public boolean isOfChangeStream() {
    return ofChangeStream;
  }

  /** Asks, where the client allowed it, for another run of this command after its reply is sent. */
  public void continueAfterReply() {
    continues = exhaustAllowed;
  }

  /** Whether the last run asked to be continued. */
  public boolean continues() {
    return continues;
  }

  /** Remembers for the next run which version of the topology the client is told in this one. */
  public void tellTopology(long counter) {
    toldTopology = counter;
  }

  /** The version that the client was told in the run before; -1 in the first one. */
  public long toldTopology() {
    return toldTopology;
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

  /** The documents of a sequence, or else those in an array of the body. */
  public List<RawDocument> documents(String field) {
    List<RawDocument> sequence = sequence(field);
    return sequence == null ? ArgumentTypes.documents(body.get(field)) : sequence;
  }

  public List<DocumentSequence> sequences() {
    return sequences;
  }
}
