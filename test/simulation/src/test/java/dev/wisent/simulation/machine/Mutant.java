package dev.wisent.simulation.machine;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;

/**
 * The product without one of its rules: in a class, and the classes inside it, calls of a method
 * are left out. Their result is a constant.
 *
 * @param rule what is taken away
 * @param type the class, with dots
 * @param callee the method that is not called
 * @param result what it seems to return: a number, 0 for false, 1 for true; null where it is an
 *     object and 0
 */
public record Mutant(String rule, String type, String callee, int result) {
  /** Has the JVM run this build, until the result is closed. */
  public AutoCloseable use() {
    SimulatedJvm.rewriting().mutant(this);
    reload();
    return () -> {
      SimulatedJvm.rewriting().mutant(null);
      reload();
    };
  }

  /** Classes that are loaded already are changed; the others when they are loaded. */
  private void reload() {
    try {
      for (Class<?> loaded : SimulatedJvm.instrumentation().getAllLoadedClasses()) {
        if (isOf(loaded.getName()) && !loaded.isHidden()) {
          SimulatedJvm.instrumentation().retransformClasses(loaded);
        }
      }
    } catch (UnmodifiableClassException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isOf(String name) {
    return name.equals(type) || name.startsWith(type + "$");
  }

  /** The class without the calls. */
  byte[] applyTo(String internalName, byte[] bytes) {
    if (!isOf(internalName.replace('/', '.'))) {
      return bytes;
    }
    ClassFile files = ClassFile.of();
    ClassModel model = files.parse(bytes);
    return files.transformClass(
        model, ClassTransform.transformingMethodBodies(this::isMutated, this::leaveOut));
  }

  private boolean isMutated(MethodModel method) {
    return method.code().isPresent() && method.code().get().elementStream().anyMatch(this::isCall);
  }

  private boolean isCall(CodeElement element) {
    return element instanceof InvokeInstruction call && call.name().equalsString(callee);
  }

  private void leaveOut(CodeBuilder code, CodeElement element) {
    if (!isCall(element)) {
      code.with(element);
      return;
    }
    var call = (InvokeInstruction) element;
    List<ClassDesc> parameters = call.typeSymbol().parameterList();
    for (ClassDesc parameter : parameters.reversed()) {
      pop(code, TypeKind.from(parameter));
    }
    if (call.opcode() != Opcode.INVOKESTATIC) {
      code.pop();
    }
    switch (TypeKind.from(call.typeSymbol().returnType()).asLoadable()) {
      case VOID -> {}
      case INT -> code.loadConstant(result);
      case LONG -> code.loadConstant((long) result);
      case REFERENCE -> code.aconst_null();
      default -> throw new IllegalArgumentException("the result of " + callee);
    }
  }

  private static void pop(CodeBuilder code, TypeKind kind) {
    if (kind.slotSize() == 2) {
      code.pop2();
    } else {
      code.pop();
    }
  }
}
