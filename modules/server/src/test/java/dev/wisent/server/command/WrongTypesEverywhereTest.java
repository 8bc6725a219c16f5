package dev.wisent.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Takes good commands and puts a value of every type in the place of each value, however deep. What
 * the server says to it may differ, but it is an answer: never an internal error, and the
 * connection goes on.
 */
class WrongTypesEverywhereTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final int INTERNAL_ERROR = 1;
  private static final List<BsonValue> VALUES =
      List.of(
          new BsonInt32(-1),
          new BsonInt64(Long.MIN_VALUE),
          new BsonDouble(Double.NaN),
          new BsonString(""),
          new BsonString("$x"),
          new BsonDocument(),
          BsonDocument.parse("{$x: 1}"),
          new BsonArray(List.of(new BsonInt32(1))),
          BsonBoolean.TRUE,
          BsonNull.VALUE,
          BsonDocument.parse("{v: {$numberDecimal: 'Infinity'}}").get("v"),
          BsonDocument.parse("{v: {$date: 0}}").get("v"),
          BsonDocument.parse("{v: {$regularExpression: {pattern: 'a', options: ''}}}").get("v"),
          BsonDocument.parse("{v: {$binary: {base64: '', subType: '00'}}}").get("v"),
          BsonDocument.parse("{v: {$minKey: 1}}").get("v"));

  private static RawClient client;

  @BeforeAll
  static void connect() {
    client = SERVER.connect();
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{find: 'c', filter: {a: {$gt: 1}}, projection: {a: 1}, sort: {a: 1}, hint: {_id: 1},"
            + " skip: 1, limit: 1, batchSize: 1, singleBatch: true, comment: 'x', maxTimeMS: 5000,"
            + " let: {x: 1}, noCursorTimeout: false, allowDiskUse: true}",
        "{find: 'c', min: {_id: 1}, max: {_id: 5}, hint: '_id_', returnKey: true,"
            + " showRecordId: true}",
        "{find: 'capped', tailable: true, sort: {$natural: 1}}",
        "{find: 'c', sort: {$natural: 1}, hint: {$natural: 1}}",
        "{aggregate: 'c', pipeline: [{$match: {a: 1}}, {$sort: {a: 1}}, {$limit: 5},"
            + " {$project: {a: 1}}], cursor: {batchSize: 1}, hint: '_id_'}",
        "{aggregate: 1, pipeline: [{$currentOp: {allUsers: true}}], cursor: {}, $db: 'admin'}",
        "{aggregate: 'c', pipeline: [{$collStats: {storageStats: {scale: 1}, count: {}}}],"
            + " cursor: {}}",
        "{aggregate: 'c', pipeline: [{$indexStats: {}}], cursor: {}}",
        "{getMore: {$numberLong: '1'}, collection: 'c', batchSize: 1}",
        "{killCursors: 'c', cursors: [{$numberLong: '1'}]}",
        "{insert: 'c', documents: [{a: 1}], ordered: false, bypassDocumentValidation: false,"
            + " writeConcern: {w: 1, j: false, wtimeout: 1}}",
        "{update: 'c', updates: [{q: {a: 1}, u: {$set: {b: 1}}, multi: false, upsert: false,"
            + " hint: '_id_', arrayFilters: [], collation: {locale: 'simple'}}], ordered: true}",
        "{update: 'c', updates: [{q: {a: 1}, u: {$push: {l: {$each: [1], $slice: 2}},"
            + " $inc: {n: 1}, $currentDate: {d: true}}}]}",
        "{delete: 'c', deletes: [{q: {a: 'none'}, limit: 1, hint: {_id: 1}}], ordered: true}",
        "{findAndModify: 'c', query: {a: 1}, sort: {a: 1}, update: {$set: {a: 1}}, new: true,"
            + " upsert: false, fields: {a: 1}, arrayFilters: []}",
        "{count: 'c', query: {a: 1}, skip: 1, limit: 1, hint: '_id_'}",
        "{distinct: 'c', key: 'a', query: {a: 1}}",
        "{bulkWrite: 1, ops: [{insert: 0, document: {a: 1}}, {update: 0, filter: {a: 1},"
            + " updateMods: {$set: {a: 1}}, multi: true}, {delete: 0, filter: {a: 'x'}}],"
            + " nsInfo: [{ns: 'test.c'}], cursor: {batchSize: 1}, errorsOnly: true, $db: 'admin'}",
        "{create: 'made', capped: true, size: 4096, max: 5, validator: {a: 1},"
            + " validationLevel: 'strict', validationAction: 'warn'}",
        "{create: 'clustered', clusteredIndex: {key: {_id: 1}, unique: true, name: 'x'}}",
        "{collMod: 'capped', validator: {a: {$exists: false}}, cappedSize: 10000, cappedMax: 5}",
        "{convertToCapped: 'converted', size: 4096}",
        "{createIndexes: 'indexed', indexes: [{key: {a: 1}, name: 'a', unique: false,"
            + " sparse: true, v: 2}]}",
        "{dropIndexes: 'indexed', index: ['a']}",
        "{listIndexes: 'c', cursor: {batchSize: 1}}",
        "{listCollections: 1, filter: {name: 'c'}, nameOnly: true, cursor: {batchSize: 1}}",
        "{listDatabases: 1, filter: {name: 'c'}, nameOnly: true, $db: 'admin'}",
        "{renameCollection: 'test.x', to: 'test.y', dropTarget: true, $db: 'admin'}",
        "{drop: 'dropped'}",
        "{dropDatabase: 1, $db: 'dropped'}",
        "{collStats: 'c', scale: 1}",
        "{dbStats: 1, scale: 1, freeStorage: 1}",
        "{dataSize: 'test.c', estimate: true}",
        "{validate: 'c', full: true}",
        "{compact: 'nosuch', force: true}",
        "{hello: 1, client: {application: {name: 'x'}, driver: {name: 'a', version: '1'},"
            + " os: {type: 'x'}}, compression: ['zlib'], topologyVersion: {processId:"
            + " {$oid: '507f1f77bcf86cd799439011'}, counter: {$numberLong: '1'}},"
            + " maxAwaitTimeMS: 1}",
        "{ping: 1, lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}},"
            + " apiVersion: '1', apiStrict: true, readConcern: {level: 'local'}, help: false,"
            + " $readPreference: {mode: 'primary'}, $clusterTime: {}}",
        "{endSessions: [{id: 1}]}",
        "{killAllSessionsByPattern: [{lsid: {id: 1}}]}",
        "{getParameter: {showDetails: true}, slowms: 1, $db: 'admin'}",
        "{setParameter: 1, slowms: 100, $db: 'admin'}",
        "{getLog: 'global', $db: 'admin'}",
        "{currentOp: 1, $all: true, ns: 'x', $db: 'admin'}",
        "{killOp: 1, op: 1, $db: 'admin'}",
        "{serverStatus: 1, metrics: 0, $db: 'admin'}",
        "{connectionStatus: 1, showPrivileges: true}",
        "{configureFailPoint: 'failCommand', mode: 'off', data: {failCommands: ['x'],"
            + " errorCode: 1, appName: 'x', blockConnection: false}, $db: 'admin'}",
        "{getLastError: 1, w: 1}",
        "{buildInfo: 1}",
        "{top: 1, $db: 'admin'}",
      })
  void nothingIsAnInternalError(String json) {
    SERVER.run("{create: 'c'}");
    client.run("{create: 'capped', capped: true, size: 10000, $db: 'test'}");
    BsonDocument good = BsonDocument.parse(json);
    if (!good.containsKey("$db")) {
      good.put("$db", new BsonString("test"));
    }
    for (List<String> path : paths(good)) {
      for (BsonValue value : VALUES) {
        BsonDocument changed = good.clone();
        put(changed, path, value);
        BsonDocument reply = client.run(RawDocument.of(changed));
        assertThat(reply.containsKey("ok")).as("%s", changed).isTrue();
        assertThat(reply.getNumber("code", new BsonInt32(0)).intValue())
            .as("%s gave %s", changed, reply)
            .isNotEqualTo(INTERNAL_ERROR);
      }
    }
  }

  /** Where the document has values, at all depths. */
  private static List<List<String>> paths(BsonDocument document) {
    var paths = new ArrayList<List<String>>();
    collect(document, List.of(), paths);
    return paths;
  }

  private static void collect(BsonValue value, List<String> path, List<List<String>> paths) {
    if (!path.isEmpty()) {
      paths.add(path);
    }
    if (value.isDocument()) {
      value.asDocument().forEach((name, inner) -> collect(inner, with(path, name), paths));
    } else if (value.isArray()) {
      for (int i = 0; i < value.asArray().size(); i++) {
        collect(value.asArray().get(i), with(path, Integer.toString(i)), paths);
      }
    }
  }

  private static List<String> with(List<String> path, String name) {
    var longer = new ArrayList<>(path);
    longer.add(name);
    return longer;
  }

  private static void put(BsonValue into, List<String> path, BsonValue value) {
    String name = path.getFirst();
    if (path.size() > 1) {
      BsonValue inner =
          into.isDocument()
              ? into.asDocument().get(name)
              : into.asArray().get(Integer.parseInt(name));
      put(inner, path.subList(1, path.size()), value);
    } else if (into.isDocument()) {
      into.asDocument().put(name, value);
    } else {
      into.asArray().set(Integer.parseInt(name), value);
    }
  }
}
