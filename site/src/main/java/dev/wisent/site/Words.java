package dev.wisent.site;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** What a reader sees of a part of a document, without its form. */
final class Words extends AbstractVisitor {
  private final StringBuilder words = new StringBuilder();

  private Words() {}

  static String of(Node node) {
    var visitor = new Words();
    node.accept(visitor);
    return visitor.words.toString().strip();
  }

  @Override
  public void visit(Text text) {
    words.append(text.getLiteral());
  }

  @Override
  public void visit(Code code) {
    words.append(code.getLiteral());
  }

  @Override
  public void visit(FencedCodeBlock block) {
    words.append(block.getLiteral());
  }

  @Override
  public void visit(SoftLineBreak lineBreak) {
    words.append(' ');
  }

  @Override
  public void visit(HardLineBreak lineBreak) {
    words.append(' ');
  }

  /** Cells of tables, and what is around them. */
  @Override
  public void visit(CustomNode node) {
    visitChildren(node);
    words.append(' ');
  }
}
