import Glibc
import SnpackCLI

exit(await SnpackProgram.main())
