/**
 * {@code wisent backup}: copies of servers as files, while they are used. {@link
 * dev.wisent.tools.backup.BackupTool} has the commands.
 *
 * <p><b>Bytes.</b> A backup directory has {@code format} (one line), {@code lock}, {@code
 * backups/ID.json} for each backup, and {@code files/}, where each file is once however many
 * backups have it. A table file is stored under the identity that the server gave it, any other one
 * under the SHA-256 of its bytes. A file gets its name when it is complete and on the disk, a
 * manifest when all of its files are: so what is interrupted leaves no backup, and files that the
 * next run uses or removes. A manifest has names, lengths and SHA-256 of the files, where they are
 * from, and a check of itself.
 *
 * <p><b>Threading.</b> One tool at a time works on a directory, by a lock of the operating system.
 * Files are fetched by several threads; each class says which of it they use.
 */
package dev.wisent.tools.backup;
