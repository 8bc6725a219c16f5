package dev.wisent.database.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StatementTest {
  private static final RawDocument RESULT = RawDocument.parse("{_id: 7}");

  @Test
  void statementsThatFollowEachOtherAreOne() {
    var statements = new ArrayList<Statement>();
    for (int id = 3; id < 100_000; id++) {
      Statement.add(statements, Statement.of(id, null));
    }
    assertThat(statements).containsExactly(new Statement(3, 99_997, null, 0));
    assertThat(statements.getFirst().contains(2)).isFalse();
    assertThat(statements.getFirst().contains(3)).isTrue();
    assertThat(statements.getFirst().contains(99_999)).isTrue();
    assertThat(statements.getFirst().contains(100_000)).isFalse();
  }

  @Test
  void statementsWithResultsStayAlone() {
    var statements = new ArrayList<Statement>();
    Statement.add(statements, Statement.of(0, null));
    Statement.add(statements, Statement.of(1, RESULT));
    Statement.add(statements, Statement.of(2, null));
    Statement.add(statements, Statement.of(4, null));
    assertThat(statements).hasSize(4);
  }

  @Test
  void encodingInPartsGivesTheSameBytes() {
    var random = new SplittableRandom(5);
    for (int round = 0; round < 200; round++) {
      var all = new ArrayList<Statement>();
      byte[] encoded = {};
      int id = random.nextInt(10);
      for (int part = 0; part < 5; part++) {
        var more = new ArrayList<Statement>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          Statement next = Statement.of(id, random.nextInt(3) == 0 ? RESULT : null);
          Statement.add(all, next);
          Statement.add(more, next);
          id += random.nextInt(3) == 0 ? 2 : 1;
        }
        encoded = Statement.append(encoded, more);
      }
      assertThat(encoded).isEqualTo(Statement.encode(all));
      assertThat(Statement.decode(encoded)).isEqualTo(all);
    }
  }

  @Test
  void recordsKeepTheirSession() {
    SessionId plain = SessionId.of(RawDocument.parse(lsid("")));
    SessionId ofUser =
        SessionId.of(RawDocument.parse(lsid(", uid: {$binary: {base64: 'AQI=', subType: '00'}}")));
    assertThat(plain).isNotEqualTo(ofUser);
    for (SessionId session : List.of(plain, ofUser)) {
      byte[] key = SessionRecord.key(session);
      assertThat(SessionRecord.isSessionKey(key, key.length)).isTrue();
      assertThat(SessionRecord.sessionOf(key, key.length)).isEqualTo(session);
      byte[] page = SessionRecord.pageKey(key, 258);
      assertThat(SessionRecord.isSessionKey(page, page.length)).isFalse();
    }
    var record = new SessionRecord(4, 5, 6, Statement.encode(List.of(Statement.of(1, RESULT))));
    assertThat(SessionRecord.decode(record.encode())).usingRecursiveComparison().isEqualTo(record);
  }

  @Test
  void nobodysSessionIsTheSameWithAndWithoutItsDigest() {
    SessionId session = SessionId.of(RawDocument.parse(lsid("")));
    assertThat(SessionId.of(session.document())).isEqualTo(session);
  }

  private static String lsid(String more) {
    return "{id: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}" + more + "}";
  }
}
