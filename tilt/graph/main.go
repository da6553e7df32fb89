// Runs a Tiltfile with stand-ins for what Tilt offers it, and prints what it would have made of it as JSON: the calls with
// their arguments, in their order. A name that nobody defined, or an argument that is missing, ends it with the place.
//
//	go run . ../Tiltfile [--flag ...]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

type call struct {
	Call  string         `json:"call"`
	Args  []any          `json:"args"`
	Named map[string]any `json:"named"`
	Line  int32          `json:"line"`
}

type builtin func(args starlark.Tuple, named map[string]starlark.Value) (starlark.Value, error)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: graph Tiltfile [--flag ...]")
		os.Exit(2)
	}
	file, err := filepath.Abs(os.Args[1])
	if err != nil {
		panic(err)
	}
	calls := []call{}
	record := func(name string, answer builtin) *starlark.Builtin {
		return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, pairs []starlark.Tuple) (starlark.Value, error) {
			one := call{Call: name, Args: []any{}, Named: map[string]any{}, Line: thread.CallFrame(1).Pos.Line}
			named := map[string]starlark.Value{}
			for _, arg := range args {
				one.Args = append(one.Args, plain(arg))
			}
			for _, pair := range pairs {
				key, _ := starlark.AsString(pair[0])
				named[key] = pair[1]
				one.Named[key] = plain(pair[1])
			}
			calls = append(calls, one)
			if answer == nil {
				return starlark.None, nil
			}
			return answer(args, named)
		})
	}
	text := func(values starlark.Tuple, at int) string {
		if at >= len(values) {
			return ""
		}
		told, _ := starlark.AsString(values[at])
		return told
	}

	environment := starlark.StringDict{"TRIGGER_MODE_MANUAL": starlark.String("manual"), "TRIGGER_MODE_AUTO": starlark.String("auto")}
	for _, name := range []string{"allow_k8s_contexts", "k8s_yaml", "k8s_resource", "local_resource", "custom_build", "docker_build", "update_settings", "watch_file"} {
		environment[name] = record(name, nil)
	}
	// What is only handed on to one of those.
	for _, name := range []string{"probe", "exec_action", "http_get_action", "port_forward", "kustomize", "sync", "run"} {
		name := name
		environment[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return starlark.String(strings.TrimSpace(name + " " + text(args, 0) + " " + text(args, 1))), nil
		})
	}
	environment["local"] = record("local", func(args starlark.Tuple, named map[string]starlark.Value) (starlark.Value, error) {
		command := exec.Command("sh", "-c", text(args, 0))
		command.Dir = filepath.Dir(file)
		if dir, ok := starlark.AsString(named["dir"]); ok {
			command.Dir = dir
		}
		output, err := command.Output()
		return starlark.String(output), err
	})
	environment["os"] = module("os", starlark.StringDict{"path": module("path", starlark.StringDict{
		"dirname": starlark.NewBuiltin("dirname", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return starlark.String(filepath.Dir(text(args, 0))), nil
		}),
	})})
	flags := starlark.NewDict(4)
	environment["config"] = module("config", starlark.StringDict{
		"main_dir": starlark.String(filepath.Dir(file)),
		"define_bool": record("config.define_bool", func(args starlark.Tuple, _ map[string]starlark.Value) (starlark.Value, error) {
			for _, given := range os.Args[2:] {
				if given == "--"+text(args, 0) {
					return starlark.None, flags.SetKey(args[0], starlark.True)
				}
			}
			return starlark.None, nil
		}),
		"parse": record("config.parse", func(starlark.Tuple, map[string]starlark.Value) (starlark.Value, error) { return flags, nil }),
	})

	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true, Set: true}
	if _, err := starlark.ExecFileOptions(options, &starlark.Thread{Name: "Tiltfile"}, file, nil, environment); err != nil {
		if failure, ok := err.(*starlark.EvalError); ok {
			fmt.Fprintln(os.Stderr, failure.Backtrace())
		} else {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(calls); err != nil {
		panic(err)
	}
}

func module(name string, members starlark.StringDict) starlark.Value {
	return starlarkstruct.FromStringDict(starlark.String(name), members)
}

// A value as JSON has it; of what it has not, the text.
func plain(value starlark.Value) any {
	switch value := value.(type) {
	case starlark.String:
		return string(value)
	case starlark.Bool:
		return bool(value)
	case starlark.Int:
		number, _ := value.Int64()
		return number
	case starlark.NoneType:
		return nil
	case starlark.Iterable:
		all := []any{}
		iterator := value.Iterate()
		defer iterator.Done()
		for member := starlark.Value(nil); iterator.Next(&member); {
			all = append(all, plain(member))
		}
		return all
	default:
		return value.String()
	}
}
