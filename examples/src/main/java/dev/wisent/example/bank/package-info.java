/**
 * Money that moves between accounts in transactions. {@link dev.wisent.example.bank.MoneyTransfer}
 * is the application, {@link dev.wisent.example.bank.MoneyTransferMain} a day of it.
 *
 * <p>Threading: any number of threads may share a {@code MoneyTransfer}.
 */
package dev.wisent.example.bank;
