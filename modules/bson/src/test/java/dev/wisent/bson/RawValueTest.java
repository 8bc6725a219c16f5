package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;
import org.junit.jupiter.api.Test;

class RawValueTest {
  private static final UUID ID = UUID.fromString("fea7a1ff-e23c-4fd8-8070-bfa43c9c995c");

  @Test
  void uuidsAreWhatTheDriversLibraryWrites() {
    RawValue value = RawValue.of(new BsonBinary(ID));
    assertThat(RawValue.ofUuid(ID)).isEqualTo(value);
    assertThat(new BsonBuilder().appendUuid("", ID).toDocument().get("")).isEqualTo(value);
    assertThat(value.isUuid()).isTrue();
    assertThat(value.asUuid()).isEqualTo(ID);
  }

  @Test
  void onlySixteenBytesOfTheirSubtypeAreUuids() {
    for (BsonValue other :
        List.of(
            new BsonBinary(new byte[16]),
            new BsonBinary(ID, UuidRepresentation.JAVA_LEGACY),
            new BsonBinary(BsonBinarySubType.UUID_STANDARD, new byte[15]),
            new BsonBinary(BsonBinarySubType.UUID_STANDARD, new byte[17]),
            new BsonBinary(BsonBinarySubType.UUID_STANDARD, new byte[0]),
            new BsonString("0123456789abcdef"))) {
      assertThat(RawValue.of(other).isUuid()).as(other.toString()).isFalse();
    }
  }

  @Test
  void binariesHaveASubtypeAndContent() {
    RawValue value = RawValue.of(new BsonBinary((byte) 0x80, new byte[] {1, 2, 3}));
    assertThat(value.binarySubtype()).isEqualTo(0x80);
    assertThat(value.asBinary()).containsExactly(1, 2, 3);
  }
}
