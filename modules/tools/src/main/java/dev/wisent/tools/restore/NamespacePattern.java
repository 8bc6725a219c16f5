package dev.wisent.tools.restore;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of names such as {@code shop.*}: an asterisk is any text, a backslash takes its meaning
 * from the character after it. In pairs of patterns {@code $name$} is any text too, which is found
 * again in the other pattern under its name.
 */
public final class NamespacePattern {
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)\\$");

  private final Pattern pattern;
  private final List<String> variables = new ArrayList<>();

  private NamespacePattern(String text, boolean withVariables) {
    var regex = new StringBuilder();
    Matcher variable = VARIABLE.matcher(text);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        regex.append(Pattern.quote(String.valueOf(text.charAt(i))));
      } else if (c == '*') {
        regex.append("(.*?)");
        variables.add("*" + variables.stream().filter(name -> name.startsWith("*")).count());
      } else if (withVariables && c == '$' && variable.find(i) && variable.start() == i) {
        regex.append("(.*?)");
        variables.add(variable.group(1));
        i = variable.end() - 1;
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  public static NamespacePattern of(String text) {
    return new NamespacePattern(text, false);
  }

  static NamespacePattern withVariables(String text) {
    return new NamespacePattern(text, true);
  }

  List<String> variables() {
    return variables;
  }

  public boolean matches(String namespace) {
    return pattern.matcher(namespace).matches();
  }

  /** Puts the parts of a matching name into the other pattern; null if it does not match. */
  String rename(String namespace, String to) {
    Matcher found = pattern.matcher(namespace);
    if (!found.matches()) {
      return null;
    }
    var result = new StringBuilder();
    Matcher variable = VARIABLE.matcher(to);
    int asterisks = 0;
    for (int i = 0; i < to.length(); i++) {
      char c = to.charAt(i);
      if (c == '\\' && i + 1 < to.length()) {
        i++;
        result.append(to.charAt(i));
      } else if (c == '*') {
        result.append(found.group(variables.indexOf("*" + asterisks) + 1));
        asterisks++;
      } else if (c == '$' && variable.find(i) && variable.start() == i) {
        result.append(found.group(variables.indexOf(variable.group(1)) + 1));
        i = variable.end() - 1;
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }
}
