package dev.wisent.simulation.machine;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Gets this JVM's instrumentation, by an agent that is attached while it runs. */
public final class SimulationAgent {
  /** Of the JVM, hence in its system properties: the agent's class may be loaded twice. */
  private static final String KEY = "dev.wisent.simulation.instrumentation";

  /** Not as a class: the first to load it would be the wrong class loader. */
  private static final String VIRTUAL_TIME = "dev.wisent.simulation.machine.VirtualTime";

  private SimulationAgent() {}

  /** Called by the JVM. */
  public static void agentmain(String argument, Instrumentation instrumentation) {
    System.getProperties().put(KEY, instrumentation);
  }

  /** Attaches the agent; the class of virtual time is in the boot class loader from then on. */
  static Instrumentation attach() {
    try {
      Path jar = Files.createTempFile("wisent-simulation", ".jar");
      jar.toFile().deleteOnExit();
      write(jar, SimulationAgent.class.getName(), VIRTUAL_TIME);
      VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
      self.loadAgent(jar.toString());
      self.detach();
      var instrumentation = (Instrumentation) System.getProperties().get(KEY);
      try (JarFile file = new JarFile(jar.toFile())) {
        instrumentation.appendToBootstrapClassLoaderSearch(file);
      }
      if (Class.forName(VIRTUAL_TIME, true, null).getClassLoader() != null) {
        throw new IllegalStateException("the JDK cannot see virtual time");
      }
      return instrumentation;
    } catch (IOException
        | ReflectiveOperationException
        | AttachNotSupportedException
        | AgentLoadException
        | AgentInitializationException e) {
      throw new IllegalStateException("cannot simulate in this JVM", e);
    }
  }

  private static void write(Path jar, String... types) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Agent-Class", SimulationAgent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      for (String type : types) {
        String path = type.replace('.', '/') + ".class";
        entries.putNextEntry(new JarEntry(path));
        try (InputStream in = SimulationAgent.class.getClassLoader().getResourceAsStream(path)) {
          in.transferTo(entries);
        }
        entries.closeEntry();
      }
    }
  }
}
