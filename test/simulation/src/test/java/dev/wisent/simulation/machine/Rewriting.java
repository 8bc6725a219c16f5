package dev.wisent.simulation.machine;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Replaces, in the bytes of classes, calls that leave the simulation: in the JDK those of its clock
 * and its random order, in the product those that make threads, sockets and the replicated log. The
 * sources stay as they are.
 */
final class Rewriting implements ClassFileTransformer {
  /** Classes of the JDK that wait for a time. */
  static final Set<String> WAITING =
      Set.of(
          "java/util/concurrent/locks/AbstractQueuedSynchronizer",
          "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject",
          "java/util/concurrent/locks/AbstractQueuedLongSynchronizer",
          "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject",
          "java/util/concurrent/locks/StampedLock",
          "java/util/concurrent/CompletableFuture",
          "java/util/concurrent/CompletableFuture$Signaller",
          "java/util/concurrent/FutureTask",
          "java/util/concurrent/LinkedTransferQueue",
          "java/util/concurrent/LinkedTransferQueue$DualNode",
          "java/util/concurrent/AbstractExecutorService",
          "java/util/concurrent/ScheduledThreadPoolExecutor",
          "java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask",
          "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue");

  /** Classes of the JDK whose order differs between JVMs. */
  static final Set<String> ORDERED =
      Set.of(
          "java/util/ImmutableCollections$Set12",
          "java/util/ImmutableCollections$Set12$1",
          "java/util/ImmutableCollections$SetN$SetNIterator",
          "java/util/ImmutableCollections$MapN$MapNIterator");

  private static final ClassDesc TIME = ClassDesc.of("dev.wisent.simulation.machine.VirtualTime");
  private static final ClassDesc HOOKS = ClassDesc.of("dev.wisent.simulation.machine.Hooks");
  private static final Set<String> BUILDERS =
      Set.of("java/lang/Thread$Builder$OfPlatform", "java/lang/Thread$Builder$OfVirtual");

  /** After these, what others see may have changed, and before them another may have been. */
  private static final Set<String> SHARED =
      Set.of(
          "java/util/concurrent/locks/Lock.lock",
          "java/util/concurrent/locks/ReentrantLock.lock",
          "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.lock",
          "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.lock",
          "java/util/concurrent/locks/StampedLock.readLock",
          "java/util/concurrent/locks/StampedLock.writeLock",
          "dev/wisent/storage/StorageEngine.snapshot",
          "dev/wisent/storage/CommitLog.submit",
          "dev/wisent/storage/CommitFuture.awaitApplied");

  private record Target(ClassDesc owner, String name) {}

  /** A static method {@code create}, and what it returns. */
  private record Creation(ClassDesc owner, ClassDesc returns) {}

  private final Map<String, Target> calls = new HashMap<>();
  private final Map<String, Creation> creations = new HashMap<>();
  private volatile Mutant mutant;

  Rewriting() {
    calls.put("java/lang/Thread.ofPlatform", new Target(HOOKS, "ofPlatform"));
    calls.put("java/lang/Thread.ofVirtual", new Target(HOOKS, "ofVirtual"));
    calls.put("dev/wisent/base/Clock.system", new Target(HOOKS, "system"));
    calls.put("dev/wisent/base/RandomSource.system", new Target(HOOKS, "systemRandom"));
    calls.put(
        "java/util/concurrent/Executors.newSingleThreadExecutor",
        new Target(HOOKS, "newSingleThreadExecutor"));
    calls.put(
        "java/util/concurrent/CompletableFuture.delayedExecutor",
        new Target(HOOKS, "delayedExecutor"));
  }

  /** Which rule is taken away from now on; null for none. */
  void mutant(Mutant newMutant) {
    mutant = newMutant;
  }

  /** Has a static method called instead of another one with the same parameters and result. */
  Rewriting call(String owner, String name, Class<?> instead) {
    calls.put(owner + "." + name, new Target(ClassDesc.of(instead.getName()), name));
    return this;
  }

  /** Has a static method {@code create} called where a class is instantiated. */
  Rewriting create(String type, Class<?> instead, String returns) {
    creations.put(
        type, new Creation(ClassDesc.of(instead.getName()), ClassDesc.ofInternalName(returns)));
    return this;
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
    if (name == null) {
      return null;
    }
    boolean product = name.startsWith("dev/wisent/") && !name.startsWith("dev/wisent/simulation/");
    if (!WAITING.contains(name) && !ORDERED.contains(name) && !product) {
      return null;
    }
    try {
      ClassFile files = ClassFile.of();
      ClassModel model = files.parse(bytes);
      ClassTransform edits =
          product ? machine(model) : WAITING.contains(name) ? clocks() : sameOrder();
      byte[] edited = edits == null ? bytes : files.transformClass(model, edits);
      Mutant current = mutant;
      byte[] mutated = current == null ? edited : current.applyTo(name, edited);
      return mutated == bytes ? null : mutated;
    } catch (RuntimeException | Error e) {
      // The JVM would go on with the class as it was.
      System.err.println("cannot rewrite " + name + ": " + e);
      throw e;
    }
  }

  private static ClassTransform clocks() {
    return ClassTransform.transformingMethodBodies(
        Rewriting::readsClock,
        (code, element) -> {
          if (isClock(element)) {
            code.invokestatic(TIME, "nanoTime", MethodTypeDesc.of(ConstantDescs.CD_long));
          } else {
            code.with(element);
          }
        });
  }

  /** The JDK reads two random values, which it has chosen when it started. */
  private static ClassTransform sameOrder() {
    return ClassTransform.transformingMethodBodies(
        (code, element) -> {
          if (!(element instanceof FieldInstruction read) || read.opcode() != Opcode.GETSTATIC) {
            code.with(element);
          } else if (read.name().equalsString("SALT32L")) {
            code.loadConstant(0L);
          } else if (read.name().equalsString("REVERSE")) {
            code.loadConstant(0);
          } else {
            code.with(element);
          }
        });
  }

  private static boolean readsClock(MethodModel method) {
    return method.code().isPresent()
        && method.code().get().elementStream().anyMatch(Rewriting::isClock);
  }

  private static boolean isClock(CodeElement element) {
    return element instanceof InvokeInstruction call
        && call.owner().asInternalName().equals("java/lang/System")
        && call.name().equalsString("nanoTime");
  }

  private ClassTransform machine(ClassModel model) {
    boolean needed = model.methods().stream().anyMatch(this::leaves);
    return needed
        ? ClassTransform.transformingMethodBodies(
            this::leaves, CodeTransform.ofStateful(MachineCalls::new))
        : null;
  }

  private boolean leaves(MethodModel method) {
    return method.code().isPresent()
        && method.code().get().elementStream().anyMatch(this::isReplaced);
  }

  private boolean isReplaced(CodeElement element) {
    return switch (element) {
      case InvokeInstruction call ->
          calls.containsKey(key(call))
              || SHARED.contains(key(call))
              || BUILDERS.contains(call.owner().asInternalName());
      case NewObjectInstruction made -> creations.containsKey(made.className().asInternalName());
      default -> false;
    };
  }

  private static String key(InvokeInstruction call) {
    return call.owner().asInternalName() + "." + call.name().stringValue();
  }

  private final class MachineCalls implements CodeTransform {
    private boolean dropsCopy;

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (dropsCopy && element instanceof StackInstruction copy && copy.opcode() == Opcode.DUP) {
        dropsCopy = false;
        return;
      }
      switch (element) {
        case NewObjectInstruction made
            when creations.containsKey(made.className().asInternalName()) ->
            dropsCopy = true;
        case InvokeInstruction call -> accept(code, call);
        default -> code.with(element);
      }
    }

    private void accept(CodeBuilder code, InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      MethodTypeDesc type = call.typeSymbol();
      Creation created = call.name().equalsString("<init>") ? creations.get(owner) : null;
      if (created != null) {
        code.invokestatic(created.owner, "create", type.changeReturnType(created.returns));
        return;
      }
      if (BUILDERS.contains(owner)) {
        MethodTypeDesc withBuilder =
            type.insertParameterTypes(0, ConstantDescs.CD_Object)
                .changeReturnType(erased(type.returnType()));
        code.invokestatic(HOOKS, call.name().stringValue(), withBuilder);
        return;
      }
      Target target = calls.get(key(call));
      if (target != null) {
        code.invokestatic(
            target.owner, target.name, type.changeReturnType(erased(type.returnType())));
        return;
      }
      if (SHARED.contains(key(call))) {
        code.invokestatic(HOOKS, "preempt", MethodTypeDesc.of(ConstantDescs.CD_void));
      }
      code.with(call);
    }

    /** Builders are objects here. */
    private static ClassDesc erased(ClassDesc type) {
      return type.descriptorString().startsWith("Ljava/lang/Thread$Builder")
          ? ConstantDescs.CD_Object
          : type;
    }
  }
}
