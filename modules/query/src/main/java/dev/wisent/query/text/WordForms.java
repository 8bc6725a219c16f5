package dev.wisent.query.text;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.core.StopFilterFactory;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.apache.lucene.util.ClasspathResourceLoader;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.DanishStemmer;
import org.tartarus.snowball.ext.DutchStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.FinnishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.HungarianStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.NorwegianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.RomanianStemmer;
import org.tartarus.snowball.ext.RussianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;
import org.tartarus.snowball.ext.SwedishStemmer;
import org.tartarus.snowball.ext.TurkishStemmer;

/** Stemmers and stop words from Lucene. Only this class knows it. */
final class WordForms {
  /** Each list is read once; lists are not changed after that. */
  private static final Map<TextLanguage, CharArraySet> STOP_WORDS = new ConcurrentHashMap<>();

  private WordForms() {}

  /** A new stemmer, which belongs to one thread; null where words are taken as they are. */
  static SnowballStemmer stemmer(TextLanguage language) {
    return switch (language) {
      case NONE -> null;
      case DANISH -> new DanishStemmer();
      case DUTCH -> new DutchStemmer();
      case ENGLISH -> new EnglishStemmer();
      case FINNISH -> new FinnishStemmer();
      case FRENCH -> new FrenchStemmer();
      case GERMAN -> new GermanStemmer();
      case HUNGARIAN -> new HungarianStemmer();
      case ITALIAN -> new ItalianStemmer();
      case NORWEGIAN -> new NorwegianStemmer();
      case PORTUGUESE -> new PortugueseStemmer();
      case ROMANIAN -> new RomanianStemmer();
      case RUSSIAN -> new RussianStemmer();
      case SPANISH -> new SpanishStemmer();
      case SWEDISH -> new SwedishStemmer();
      case TURKISH -> new TurkishStemmer();
    };
  }

  /** Words that are left out, in small letters. */
  static CharArraySet stopWords(TextLanguage language) {
    return STOP_WORDS.computeIfAbsent(language, WordForms::readStopWords);
  }

  private static CharArraySet readStopWords(TextLanguage language) {
    return switch (language) {
      case NONE -> CharArraySet.EMPTY_SET;
      case ROMANIAN -> RomanianAnalyzer.getDefaultStopSet();
      case TURKISH -> TurkishAnalyzer.getDefaultStopSet();
      default -> snowballStopWords(language.text() + "_stop.txt");
    };
  }

  /** The lists of Snowball, which MongoDB has too; some analyzers of Lucene come with others. */
  private static CharArraySet snowballStopWords(String file) {
    var arguments = new HashMap<>(Map.of("words", file, "format", "snowball"));
    var words = new StopFilterFactory(arguments);
    try {
      words.inform(new ClasspathResourceLoader(SnowballFilter.class));
    } catch (Exception e) {
      throw new IllegalStateException("Lucene has no list " + file, e);
    }
    return words.getStopWords();
  }
}
