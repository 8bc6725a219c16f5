package dev.wisent.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.xerial.snappy.Snappy;

/** The compressions of OP_COMPRESSED, with the numbers and names of the protocol. */
public enum Compressor {
  NOOP(0, "noop") {
    @Override
    byte[] compress(byte[] bytes, int offset, int length) {
      return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    @Override
    boolean mayHold(byte[] from, int offset, int length, int size) {
      return length == size;
    }

    @Override
    int decompress(byte[] from, int offset, int length, byte[] to, int toOffset, int toLength) {
      System.arraycopy(from, offset, to, toOffset, length);
      return length;
    }
  },

  SNAPPY(1, "snappy") {
    @Override
    byte[] compress(byte[] bytes, int offset, int length) throws IOException {
      byte[] out = new byte[Snappy.maxCompressedLength(length)];
      int size = Snappy.compress(bytes, offset, length, out, 0);
      return Arrays.copyOf(out, size);
    }

    @Override
    boolean mayHold(byte[] from, int offset, int length, int size) throws IOException {
      // The native code trusts the length that the data begins with.
      return Snappy.uncompressedLength(from, offset, length) == size
          && Snappy.isValidCompressedBuffer(from, offset, length);
    }

    @Override
    int decompress(byte[] from, int offset, int length, byte[] to, int toOffset, int toLength)
        throws IOException {
      return Snappy.uncompress(from, offset, length, to, toOffset);
    }
  },

  ZLIB(2, "zlib") {
    @Override
    byte[] compress(byte[] bytes, int offset, int length) {
      try (var deflater = new Deflater()) {
        deflater.setInput(bytes, offset, length);
        deflater.finish();
        byte[] out = new byte[length + length / 1000 + 64];
        int size = 0;
        while (!deflater.finished()) {
          if (size == out.length) {
            out = Arrays.copyOf(out, out.length * 2);
          }
          size += deflater.deflate(out, size, out.length - size);
        }
        return Arrays.copyOf(out, size);
      }
    }

    @Override
    boolean mayHold(byte[] from, int offset, int length, int size) {
      return size <= (long) DEFLATE_RATIO_MAX * length;
    }

    @Override
    int decompress(byte[] from, int offset, int length, byte[] to, int toOffset, int toLength)
        throws DataFormatException {
      try (var inflater = new Inflater()) {
        inflater.setInput(from, offset, length);
        int size = 0;
        while (size < toLength) {
          int more = inflater.inflate(to, toOffset + size, toLength - size);
          if (more == 0) {
            return -1;
          }
          size += more;
        }
        // The end of the stream may still have to be read; nothing else may come before it.
        int beyond = inflater.inflate(new byte[1], 0, 1);
        return beyond == 0 && inflater.finished() ? size : -1;
      }
    }
  },

  ZSTD(3, "zstd") {
    @Override
    byte[] compress(byte[] bytes, int offset, int length) {
      byte[] out = new byte[(int) Zstd.compressBound(length)];
      long size =
          Zstd.compressByteArray(
              out, 0, out.length, bytes, offset, length, Zstd.defaultCompressionLevel());
      return Arrays.copyOf(out, (int) size);
    }

    @Override
    boolean mayHold(byte[] from, int offset, int length, int size) {
      if (length == 0) {
        return false;
      }
      long claimed = Zstd.getFrameContentSize(from, offset, length);
      return claimed == size || claimed == 0 || claimed == SIZE_UNKNOWN;
    }

    @Override
    int decompress(byte[] from, int offset, int length, byte[] to, int toOffset, int toLength) {
      try {
        return (int) Zstd.decompressByteArray(to, toOffset, toLength, from, offset, length);
      } catch (ZstdException e) {
        return -1;
      }
    }
  };

  /** What zstd says of a frame that does not tell its size. */
  private static final long SIZE_UNKNOWN = -1;

  /** Deflate cannot make more than this out of one byte. */
  private static final int DEFLATE_RATIO_MAX = 1032;

  private final int id;
  private final String protocolName;

  Compressor(int id, String protocolName) {
    this.id = id;
    this.protocolName = protocolName;
  }

  public int id() {
    return id;
  }

  public String protocolName() {
    return protocolName;
  }

  public static Optional<Compressor> byId(int id) {
    return Arrays.stream(values()).filter(c -> c.id == id).findFirst();
  }

  public static Optional<Compressor> byName(String name) {
    return Arrays.stream(values()).filter(c -> c.protocolName.equals(name)).findFirst();
  }

  abstract byte[] compress(byte[] bytes, int offset, int length) throws IOException;

  /** Whether the data can be {@code size} bytes in the open, by a look that costs little. */
  abstract boolean mayHold(byte[] from, int offset, int length, int size) throws IOException;

  /** Fills {@code to} and returns how many bytes it gave; anything but toLength is an error. */
  abstract int decompress(
      byte[] from, int offset, int length, byte[] to, int toOffset, int toLength)
      throws IOException, DataFormatException;
}
