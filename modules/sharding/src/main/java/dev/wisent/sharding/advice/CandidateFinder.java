package dev.wisent.sharding.advice;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Proposes shard keys: what queries look for, alone, behind something coarse that grows, and before
 * something that grows; and hashes.
 */
public final class CandidateFinder {
  private static final int FIELDS_MAX = 64;
  private static final int CANDIDATES_MAX = 8;
  private static final String ID = "_id";

  private final List<FieldProfile> fields;
  private final int documents;
  private final int shards;
  private final Map<String, CandidateKey> found = new LinkedHashMap<>();

  /**
   * @param documents in the order of their insertion
   */
  public CandidateFinder(
      List<RawDocument> documents, List<SampledQuery> queries, AdviceSettings settings) {
    this.documents = documents.size();
    this.shards = settings.shards();
    var use = new QueryUse(queries);
    this.fields =
        paths(documents).stream()
            .map(path -> FieldProfile.of(path, documents, use))
            .filter(Objects::nonNull)
            .toList();
  }

  /** The fields of the first documents, those of nested ones too. */
  private static Set<String> paths(List<RawDocument> documents) {
    Set<String> paths = new LinkedHashSet<>();
    for (RawDocument document : documents.subList(0, Math.min(100, documents.size()))) {
      for (ElementCursor each = document.elements(); each.next(); ) {
        String name = each.name();
        if (each.value().isDocument()) {
          for (ElementCursor inner = each.value().elements(); inner.next(); ) {
            add(paths, name + "." + inner.name());
          }
        } else {
          add(paths, name);
        }
      }
    }
    return paths;
  }

  private static void add(Set<String> paths, String path) {
    boolean plain = !path.contains("$") && !path.startsWith(".") && !path.contains("..");
    if (plain && !path.endsWith(".") && paths.size() < FIELDS_MAX) {
      paths.add(path);
    }
  }

  public List<CandidateKey> candidates() {
    FieldProfile search = search();
    FieldProfile ascending = ascending();
    if (search != null) {
      String name = quoted(search.path());
      coarseAndSearch(search, name, ascending);
      add("{" + name + ": 1}", "what queries look for");
      add("{" + name + ": 'hashed'}", "what queries look for, hashed");
    }
    FieldProfile group = group(search);
    for (FieldProfile first : new FieldProfile[] {search, group}) {
      if (first != null && ascending != null && !first.path().equals(ascending.path())) {
        add(
            "{" + quoted(first.path()) + ": 1, " + quoted(ascending.path()) + ": 1}",
            "many hotspots: something that divides, then something that grows");
      }
    }
    add("{_id: 'hashed'}", "spread evenly, for look-ups by _id");
    if (ascending != null) {
      add("{" + quoted(ascending.path()) + ": 1}", "something that grows, to compare with");
    }
    return found.values().stream().limit(CANDIDATES_MAX).toList();
  }

  private void coarseAndSearch(FieldProfile search, String name, FieldProfile ascending) {
    String idea = "something coarse that grows, then what queries look for";
    FieldProfile coarse = coarse();
    if (coarse != null && !coarse.path().equals(search.path())) {
      add("{" + quoted(coarse.path()) + ": 1, " + name + ": 1}", idea);
    } else if (ascending != null && ascending.isTime()) {
      String month = CoarseTime.nameFor(ascending.path());
      CandidateKey key = CandidateKey.found("{" + quoted(month) + ": 1, " + name + ": 1}", idea);
      found.putIfAbsent(key.text(), new CandidateKey(key.pattern(), ascending.path(), key.idea()));
    }
  }

  private void add(String pattern, String idea) {
    CandidateKey key = CandidateKey.found(pattern, idea);
    found.putIfAbsent(key.text(), key);
  }

  private static String quoted(String path) {
    return "'" + path.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  /** What most queries ask for; without queries a field with many values that does not grow. */
  private FieldProfile search() {
    FieldProfile asked =
        fields.stream()
            .filter(field -> !field.path().equals(ID) && !field.isAscending())
            .filter(field -> field.equality() > 0)
            .max(Comparator.comparingLong(FieldProfile::equality))
            .orElse(null);
    return asked != null
        ? asked
        : fields.stream()
            .filter(field -> !field.path().equals(ID) && !field.isAscending())
            .filter(field -> field.distinct() >= 20L * shards && field.distinct() <= documents / 2)
            .max(Comparator.comparingLong(FieldProfile::distinct))
            .orElse(null);
  }

  /** Something that grows with nearly every document; dates are better than other values. */
  private FieldProfile ascending() {
    return fields.stream()
        .filter(field -> field.isAscending() && field.distinct() > documents / 4)
        .max(
            Comparator.comparing(FieldProfile::isTime)
                .thenComparing(field -> !field.path().equals(ID))
                .thenComparing(FieldProfile::range)
                .thenComparing(Comparator.comparing(FieldProfile::path).reversed()))
        .orElse(null);
  }

  /** Something that grows and stays the same for many documents. */
  private FieldProfile coarse() {
    return fields.stream()
        .filter(field -> field.isAscending() && field.distinct() > 1)
        .filter(field -> field.distinct() <= Math.max(2, documents / 50))
        .max(Comparator.comparingLong(FieldProfile::distinct))
        .orElse(null);
  }

  /** Something that divides the documents into some groups, such as hosts. */
  private FieldProfile group(FieldProfile search) {
    return fields.stream()
        .filter(field -> !field.isAscending() && field != search)
        .filter(field -> field.distinct() >= 2L * shards && field.distinct() <= documents / 20)
        .max(Comparator.comparingLong(FieldProfile::distinct))
        .orElse(null);
  }
}
