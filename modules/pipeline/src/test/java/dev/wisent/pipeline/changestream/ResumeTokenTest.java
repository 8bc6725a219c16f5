package dev.wisent.pipeline.changestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResumeTokenTest {
  private static final UUID COLLECTION = UUID.fromString("FEA7A1FF-E23C-4FD8-8070-BFA43C9C995C");

  private static ResumeToken event(long time, long index, String type, String key) {
    return ResumeToken.ofEvent(
        time, index, COLLECTION, type, "documentKey", RawDocument.parse(key));
  }

  private static String data(ResumeToken token) {
    return token.toDocument().get("_data").asString();
  }

  /** As a MongoDB of version 8 wrote it. */
  @Test
  void hasTheBytesOfMongoDb() {
    String written =
        "82687E82DE000000012B042C0100296E5A1004FEA7A1FFE23C4FD88070BFA43C9C995C463C6F7065726174696F"
            + "6E54797065003C696E736572740046646F63756D656E744B65790046645F69640064687E82DC122A414A"
            + "3ECD77F8000004";
    ResumeToken token =
        event(0x687E82DE00000001L, 0, "insert", "{_id: {$oid: '687e82dc122a414a3ecd77f8'}}");
    assertThat(data(token)).isEqualTo(written);
    assertThat(data(ResumeToken.highWaterMark(0x687E82DE00000001L)))
        .isEqualTo("82687E82DE000000012B0429296E1404");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 29",
    "1, 2B02",
    "127, 2BFE",
    "128, 2C0100",
    "-1, 27FD",
    "-128, 26FEFF",
    "300, 2C0258"
  })
  void numbersSortAsBytes(long number, String bytes) {
    assertThat(data(event(1, 0, "insert", "{_id: " + number + "}")))
        .endsWith("1E5F696400" + bytes + "000004");
  }

  @Test
  void placesSortLikeTheStream() {
    var places = new ArrayList<ResumeToken>();
    for (long time : new long[] {1, 255, 256, 1L << 32, 5L << 40}) {
      places.add(ResumeToken.highWaterMark(time));
      for (long index : new long[] {0, 1, 127, 128, 5000, 1 << 20}) {
        ResumeToken event = event(time, index, "drop", "{_id: 1}");
        places.add(event);
        places.add(event.ofFragment(0));
        places.add(event.ofFragment(1));
        places.add(event.ofInvalidate());
      }
    }
    var shuffled = new ArrayList<>(places);
    Collections.shuffle(shuffled, new Random(1));
    Collections.sort(shuffled);
    assertThat(shuffled).isEqualTo(places);
    List<String> hex = places.stream().map(ResumeTokenTest::data).toList();
    assertThat(hex).isSorted();
  }

  @Test
  void isReadAgain() {
    ResumeToken event = event(77, 300, "drop", "{_id: [1, {a: 'x'}, null, true]}");
    for (ResumeToken token :
        List.of(event, event.ofInvalidate(), event.ofFragment(3), ResumeToken.highWaterMark(77))) {
      ResumeToken read = ResumeToken.parse(token.toDocument());
      assertThat(read).isEqualTo(token);
      assertThat(read.clusterTime()).isEqualTo(77);
      assertThat(read.isHighWaterMark()).isEqualTo(token.isHighWaterMark());
      assertThat(read.isFromInvalidate()).isEqualTo(token.isFromInvalidate());
      assertThat(read.hasUuid()).isEqualTo(token.hasUuid());
      assertThat(read.uuid()).isEqualTo(token.isHighWaterMark() ? null : COLLECTION);
    }
    assertThat(event.ofFragment(2).isFragmentOf(event)).isTrue();
    assertThat(event.isFragmentOf(event)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8",
        "zz",
        "82",
        "8200",
        "8200000000000000012B",
        "8200000000000000012B06296E1404",
        "8200000000000000012B0429296E14",
        "8200000000000000012B0429293C1404",
        "8200000000000000012B042B0229 6E1404"
      })
  void whatIsNoTokenIsRefused(String data) {
    assertThatThrownBy(() -> ResumeToken.parse(RawDocument.parse("{_data: '" + data + "'}")))
        .isInstanceOf(CommandException.class);
  }
}
