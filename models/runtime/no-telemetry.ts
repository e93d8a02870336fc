/**
 * Switches off the telemetry of ONNX Runtime; must be imported before ONNX Runtime. From 1.30 on, the library keeps a
 * database of events in the home folder and reports them to its maker. Without a network, a process could wait forever
 * at its exit.
 */
// oxlint-disable-next-line no-restricted-properties -- The library reads no other configuration.
process.env['ORT_DISABLE_TELEMETRY'] = '1';
