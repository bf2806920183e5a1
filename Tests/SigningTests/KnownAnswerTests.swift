import Diagnostics
import Signing
import SnpackTestSupport
import Testing

@Suite struct KnownAnswerTests {
    struct KnownPair: Sendable {
        let seed, publicKey, message, signature: String
    }

    /// RFC 8032 section 7.1: tests 1, 2, 3 and SHA(abc).
    static let rfc8032 = [
        KnownPair(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
            signature:
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b"),
        KnownPair(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
            signature:
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                + "387b2eaeb4302aeeb00d291612bb0c00"),
        KnownPair(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
            signature:
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                + "4a7c15e9716ed28dc027beceea1ec40a"),
        KnownPair(
            seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
                + "454d4423643ce80e2a9ac94fa54ca49f",
            signature:
                "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
                + "3dca179c138ac17ad9bef1177331a704"),
    ]

    @Test(arguments: rfc8032) func signsAndVerifiesAsRFC8032Says(_ known: KnownPair) throws {
        let key = try seeded(known.seed)
        #expect(key.publicKey.hex == known.publicKey)
        let signature = try key.sign(hex(known.message))
        #expect(signature.bytes == hex(known.signature))
        #expect(key.publicKey.verifies(signature, hex(known.message)))
    }

    /// Wycheproof (C2SP), ed25519_test.json, cases 84, 85 and 89: S just under the group's order, just above, and at random.
    @Test(arguments: [
        (
            true, "100fdf47fb94f1536a4f7c3fda27383fa03375a8f527c537e6f1703c47f94f86",
            "124e583f8b8eca58bb29c271b41d36986bbc45541f8e51f9cb0133eca447601e",
            "dac119d6ca87fc59ae611c157048f4d4fc932a149dbe20ec6effd1436abf83ea05c7df0fef06147241259113909bc71bd3c53ba4464f"
                + "fcad3c0968f2ffffff0f"
        ),
        (
            false, "100fdf47fb94f1536a4f7c3fda27383fa03375a8f527c537e6f1703c47f94f86",
            "6a0bc2b0057cedfc0fa2e3f7f7d39279b30f454a69dfd1117c758d86b19d85e0",
            "0971f86d2c9c78582524a103cb9cf949522ae528f8054dc20107d999be673ff4e25ebf2f2928766b1248bec6e91697775f8446639ede"
                + "46ad4df4053000000010"
        ),
        (
            true, "32ad026f693d0d2afe7f4388d91c4c964426fcb9e3665c3ebd8650009b815c8e", "ec5c7cb078",
            "d920d421a5956b69bfe1ba834c025e2babb6c7a6d78c97de1d9bb1116dfdd1185147b2887e34e15578172e150774275ea2aad9e02106"
                + "f7e8ca1caa669a066f0c"
        ),
    ]) func holdsTheBoundOnS(_ valid: Bool, _ publicKey: String, _ message: String, _ bytes: String) throws {
        let signature = try #require(Signature(bytes: hex(bytes)))
        #expect(try PublicKey(parsing: publicKey).verifies(signature, hex(message)) == valid)
    }

    /// "Taming the many EdDSAs" (IACR 2020/1244), speccheck cases 0 to 9: only case 3 satisfies the plain equation with
    /// canonical values and no part of small order.
    static let speccheck: [(number: Int, publicKey: String, message: String, signature: String)] = [
        (
            0, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000"
        ),
        (
            1, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
            "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
            "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04"
        ),
        (
            2, "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
            "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e"
        ),
        (
            3, "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
            "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
            "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009"
        ),
        (
            4, "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
            "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
            "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09"
        ),
        (
            5, "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
            "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
            "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405"
        ),
        (
            6, "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
            "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
            "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514"
        ),
        (
            7, "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
            "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
            "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22"
        ),
        (
            8, "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
            "fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f454d370c8d9fc323a41450f8d513eafeb5b0697390c1e505a0d4ddc71f566607"
        ),
        (
            9, "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
            "84b698d39be126ff55fe45079e6c8bf64a0d7db6994560b4e96b7021eb39c1a1",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f084d5b99c2a9463d9c8bd5026916996984eeec87ddf1d3be329006ace1b37b09"
        ),
    ]

    @Test(arguments: speccheck)
    func acceptsOnlyTheOneOrdinarySpeccheckCase(_ number: Int, _ publicKey: String, _ message: String, _ bytes: String)
        throws
    {
        let signature = try #require(Signature(bytes: hex(bytes)))
        let verifies = (try? PublicKey(parsing: publicKey))?.verifies(signature, hex(message)) ?? false
        #expect(verifies == (number == 3))
    }

    @Test func everySignatureVectorEndsAsItSays() throws {
        let vectors = try #require(ProjectFiles.vector("signatures.json") as? [String: Any])
        let cases = try #require(vectors["cases"] as? [[String: Any]])
        #expect(cases.count >= 16)
        for vector in cases {
            let why = try #require(vector["why"] as? String)
            let message = Array(try #require(vector["message"] as? String).utf8)
            let text = Array(try #require(vector["signature"] as? String).utf8)
            let publicKey = try? PublicKey(parsing: try #require(vector["public"] as? String))
            let signatures = try? SignatureText(decoding: text)
            let verifies = if let publicKey, let signatures { publicKey.verifies(signatures, message) } else { false }
            #expect(verifies == (vector["ok"] as? Bool), "\(why)")
        }
    }

    @Test func keyIDsAreThoseOfTheVectors() throws {
        let vectors = try #require(ProjectFiles.vector("signatures.json") as? [String: Any])
        for role in ["factory", "region"] {
            let key = try PublicKey(parsing: try #require(vectors["\(role)_public"] as? String))
            #expect(key.keyID == vectors["\(role)_key_id"] as? String)
        }
    }
}
