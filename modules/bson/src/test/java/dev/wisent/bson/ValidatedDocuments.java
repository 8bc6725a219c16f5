package dev.wisent.bson;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.Arrays;

/** What must hold of any bytes that are given to the validator. */
final class ValidatedDocuments {
  static final int DEPTH_MAX = 200;

  private ValidatedDocuments() {}

  /**
   * Gives the validator the bytes as a slice of a larger array whose other bytes must not matter.
   *
   * @return whether it accepted them
   */
  static boolean checkUsableOrRefused(byte[] bytes) {
    boolean withOnes = accepts(padded(bytes, (byte) 1));
    boolean withZeros = accepts(padded(bytes, (byte) 0));
    if (withOnes != withZeros) {
      throw new AssertionError("the validator looked at bytes outside the document");
    }
    if (withOnes) {
      use(RawDocument.of(bytes));
    }
    return withOnes;
  }

  private static byte[] padded(byte[] bytes, byte padding) {
    byte[] padded = new byte[bytes.length + 32];
    Arrays.fill(padded, padding);
    System.arraycopy(bytes, 0, padded, 16, bytes.length);
    return padded;
  }

  private static boolean accepts(byte[] padded) {
    try {
      DocumentValidator.validate(padded, 16, padded.length - 32, DEPTH_MAX);
      return true;
    } catch (CommandException e) {
      if (e.code() != ErrorCode.INVALID_BSON && e.code() != ErrorCode.OVERFLOW) {
        throw new AssertionError("unexpected code", e);
      }
      return false;
    }
  }

  private static void use(RawDocument document) {
    RawValue whole = RawValue.ofDocument(document);
    if (ValueOrder.compare(whole, whole) != 0) {
      throw new AssertionError("not equal to itself");
    }
    ValueOrder.hash(whole);
    walk(document);
    checkKey(whole);
  }

  private static void checkKey(RawValue value) {
    var encoder = new IndexKeyV1.Encoder().append(value, true);
    RawValue[] decoded =
        IndexKeyV1.decode(
            encoder.bytes(),
            0,
            encoder.length(),
            encoder.typeBits(),
            0,
            encoder.typeBitsLength(),
            new boolean[] {true});
    if (!ValueOrder.equal(value, decoded[0])) {
      throw new AssertionError("the index key came back as something else");
    }
    byte[] bytes = decoded[0].detached().bytes();
    DocumentValidator.validate(bytes, 0, bytes.length, DEPTH_MAX);
  }

  private static void walk(RawDocument document) {
    var copy = new BsonBuilder();
    var cursor = document.elements();
    while (cursor.next()) {
      copy.appendElement(cursor);
      RawValue value = cursor.value();
      if (value.isDocument() || value.isArray()) {
        walk(value.asDocument());
      }
    }
    if (!copy.toDocument().equals(document)) {
      throw new AssertionError("the cursor did not see all of the document");
    }
  }
}
