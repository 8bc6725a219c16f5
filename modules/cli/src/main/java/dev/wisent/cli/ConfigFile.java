package dev.wisent.cli;

import dev.wisent.cli.IgnoredOptions.Ignored;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** A configuration file in {@code mongod}'s YAML format, read into the flags that mean the same. */
final class ConfigFile {
  private final Path path;
  private final List<String> arguments = new ArrayList<>();
  private final List<Ignored> ignored = new ArrayList<>();

  private ConfigFile(Path path) {
    this.path = path;
  }

  /** Reads a file. */
  static ConfigFile read(Path path) throws StartException {
    ConfigFile file = new ConfigFile(path);
    Object root = file.load();
    if (root instanceof Map<?, ?> sections) {
      file.readSection("", sections);
    } else if (root != null) {
      throw file.bad("expected sections such as 'net:' and 'storage:'");
    }
    return file;
  }

  /** The flags for the file, in its order. */
  List<String> arguments() {
    return arguments;
  }

  /** The settings that have no effect. */
  List<Ignored> ignored() {
    return ignored;
  }

  private Object load() throws StartException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      return new Yaml(new SafeConstructor(options)).load(reader);
    } catch (NoSuchFileException e) {
      throw new StartException(ExitCode.BAD_OPTIONS, "no such configuration file: " + path, e);
    } catch (IOException e) {
      throw new StartException(ExitCode.BAD_OPTIONS, "cannot read " + path + ": " + e, e);
    } catch (YAMLException e) {
      throw new StartException(ExitCode.BAD_OPTIONS, path + ": " + e.getMessage(), e);
    }
  }

  private void readSection(String prefix, Map<?, ?> section) throws StartException {
    for (Map.Entry<?, ?> entry : section.entrySet()) {
      String key = prefix + entry.getKey();
      if (key.equals("setParameter")) {
        readParameters(entry.getValue());
      } else if (key.equals("systemLog.component")) {
        addParameter("logComponentVerbosity", entry.getValue());
      } else if (entry.getValue() instanceof Map<?, ?> nested) {
        readSection(key + ".", nested);
      } else if (entry.getValue() != null) {
        readValue(key, entry.getValue());
      }
    }
  }

  private void readParameters(Object value) throws StartException {
    if (!(value instanceof Map<?, ?> parameters)) {
      throw bad("setParameter expects names and values");
    }
    for (Map.Entry<?, ?> entry : parameters.entrySet()) {
      addParameter(entry.getKey().toString(), entry.getValue());
    }
  }

  /** One that is a document is JSON, as on a command line. */
  private void addParameter(String name, Object value) {
    arguments.add("--setParameter");
    arguments.add(name + "=" + (value instanceof Map<?, ?> map ? json(map) : value));
  }

  private static String json(Map<?, ?> map) {
    var document = new Document();
    map.forEach((name, value) -> document.append(name.toString(), value));
    return document.toJson();
  }

  private void readValue(String key, Object value) throws StartException {
    Optional<Ignored> without = IgnoredOptions.find(key, value.toString());
    if (without.isPresent()) {
      ignored.add(without.get());
      return;
    }
    ConfigKey row = ConfigKey.find(key).orElseThrow(() -> bad("unknown setting '" + key + "'"));
    List<String> flags = row.flags(value).orElseThrow(() -> bad(row.complaint(value)));
    for (String flag : flags) {
      var reason = UnsupportedOptions.reason(flag);
      if (reason.isPresent()) {
        throw bad("'" + key + "' is not supported: " + reason.get());
      }
    }
    arguments.addAll(flags);
  }

  private StartException bad(String message) {
    return StartException.badOption(path + ": " + message);
  }
}
