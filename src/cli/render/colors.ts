import picocolors from 'picocolors';

/** Colours for people who look on; none in files and pipes, where a script reads, though CI systems ask for them. */
const colors = picocolors.createColors(picocolors.isColorSupported && process.stdout.isTTY === true);

export default colors;
