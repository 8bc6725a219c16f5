package dev.wisent.sharding;

import java.util.ArrayList;
import java.util.List;

/** Puts changed chunks into pages. Pages without a change stay as they are. */
final class PageMerge {
  /** Small enough to be written again for one change, large enough to keep pages few. */
  private static final int PAGE_CHUNKS_MAX = 1024;

  private final List<ChunkPage> pages;
  private final EncodedBound end;

  /**
   * @param end of the last chunk
   */
  PageMerge(List<ChunkPage> pages, EncodedBound end) {
    this.pages = pages;
    this.end = end;
  }

  /** Appends chunks as pages of about the same size. */
  static void paginate(List<EncodedChunk> chunks, List<ChunkPage> out) {
    int count = (chunks.size() + PAGE_CHUNKS_MAX - 1) / PAGE_CHUNKS_MAX;
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) chunks.size() * i / count);
      int to = (int) ((long) chunks.size() * (i + 1) / count);
      out.add(ChunkPage.of(chunks.subList(from, to)));
    }
  }

  /**
   * The pages with these chunks in the place of all that they overlap.
   *
   * @param changed ascending, without overlaps
   */
  List<ChunkPage> merged(List<EncodedChunk> changed) {
    var out = new ArrayList<ChunkPage>(pages.size() + 1);
    int next = 0;
    int page = 0;
    while (page < pages.size()) {
      int first = page;
      int firstChanged = next;
      EncodedBound pageEnd = endOf(page);
      // Changed chunks may reach into the pages behind, which may have changes of their own.
      while (next < changed.size() && changed.get(next).min().compareTo(pageEnd) < 0) {
        while (changed.get(next).max().compareTo(pageEnd) > 0 && page + 1 < pages.size()) {
          pageEnd = endOf(++page);
        }
        next++;
      }
      page++;
      if (next == firstChanged) {
        out.add(pages.get(first));
      } else {
        List<EncodedChunk> chunks = merged(first, page, changed.subList(firstChanged, next));
        EncodedChunk.requireContiguous(chunks, pages.get(first).min(0), pageEnd);
        paginate(chunks, out);
      }
    }
    return List.copyOf(out);
  }

  private EncodedBound endOf(int page) {
    return page + 1 < pages.size() ? pages.get(page + 1).min(0) : end;
  }

  /** The chunks of some pages that no changed one overlaps, and the changed ones. */
  private List<EncodedChunk> merged(int fromPage, int toPage, List<EncodedChunk> changed) {
    var out = new ArrayList<EncodedChunk>();
    int next = 0;
    for (int at = fromPage; at < toPage; at++) {
      ChunkPage page = pages.get(at);
      EncodedBound min = page.min(0);
      for (int i = 0; i < page.size(); i++) {
        EncodedBound max = i + 1 < page.size() ? page.min(i + 1) : endOf(at);
        while (next < changed.size() && changed.get(next).max().compareTo(min) <= 0) {
          out.add(changed.get(next++));
        }
        if (next == changed.size() || changed.get(next).min().compareTo(max) >= 0) {
          out.add(
              new EncodedChunk(
                  min, max, page.shard(i), page.version(i), page.isJumbo(i), page.places(i)));
        }
        min = max;
      }
    }
    out.addAll(changed.subList(next, changed.size()));
    return out;
  }
}
