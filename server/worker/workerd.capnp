# The worker in bare workerd, for tests: --socket-addr=http=127.0.0.1:PORT and
# --directory-path=disk=DIR say where.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "disk", disk = (writable = true)),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "room.mjs", esModule = embed "room.mjs"),
    (name = "build/worker.mjs", esModule = embed "build/worker.mjs"),
    (name = "build/runtime.mjs", esModule = embed "build/runtime.mjs"),
    (name = "build/wasm_exec.js", esModule = embed "build/wasm_exec.js"),
    (name = "build/app.wasm", wasm = embed "build/app.wasm"),
    (name = "build/room.wasm", wasm = embed "build/room.wasm"),
  ],
  compatibilityDate = "2026-04-01",
  bindings = [
    (name = "ROOM", durableObjectNamespace = "Room"),
    (name = "ORIGINS", text = "https://docs.example.org"),
  ],
  durableObjectNamespaces = [(className = "Room", uniqueKey = "rebalance-lab-room", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
);
