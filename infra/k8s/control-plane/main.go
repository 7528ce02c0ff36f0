// The control plane of a cluster without nodes: an API server and its etcd in one process, to which manifests are
// applied in tests. control-plane FOLDER PORT ETCD_PORT ETCD_PEER_PORT; tokens.csv in the folder says who may enter.
package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func startEtcd(folder, client, peer string) error {
	config := embed.NewConfig()
	config.Dir = filepath.Join(folder, "etcd")
	config.LogLevel = "error"
	// Nothing of it outlives the test.
	config.UnsafeNoFsync = true
	at := func(port string) []url.URL { return []url.URL{{Scheme: "http", Host: "127.0.0.1:" + port}} }
	config.ListenClientUrls, config.AdvertiseClientUrls = at(client), at(client)
	config.ListenPeerUrls, config.AdvertisePeerUrls = at(peer), at(peer)
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	<-etcd.Server.ReadyNotify()
	return nil
}

func main() {
	folder, port, client, peer := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	if err := startEtcd(folder, client, peer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	key := filepath.Join(folder, "service-accounts.key")
	server := app.NewAPIServerCommand()
	server.SetArgs([]string{
		"--etcd-servers=http://127.0.0.1:" + client,
		"--bind-address=127.0.0.1",
		// Nobody asks for it by this address, which must not be one of this machine alone.
		"--advertise-address=198.51.100.1",
		"--endpoint-reconciler-type=none",
		"--secure-port=" + port,
		"--cert-dir=" + folder,
		"--token-auth-file=" + filepath.Join(folder, "tokens.csv"),
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + key,
		"--service-account-signing-key-file=" + key,
		"--service-cluster-ip-range=10.96.0.0/16",
	})
	os.Exit(cli.Run(server))
}
